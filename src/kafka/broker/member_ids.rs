//! The member ids that a broker gives out.

use super::BrokerSettings;
use crate::kafka::chance::Chance;
use crate::kafka::ids::{ClientId, GroupInstanceId, MemberId};
use crate::kafka::sorted::SortedMap;

/// Preset ids first, then `<client.id or instance id>-<uuid>`, as Kafka makes them.
#[derive(Clone, Debug)]
pub(super) struct MemberIds {
    chance: Chance,
    given: SortedMap<ClientId, usize>,
}

impl MemberIds {
    pub fn new(settings: &BrokerSettings) -> Self {
        Self {
            chance: Chance::new(settings.seed, "member ids"),
            given: SortedMap::new(),
        }
    }

    /// An id that nobody has had.
    pub fn next(
        &mut self,
        settings: &BrokerSettings,
        client: &ClientId,
        instance: Option<&GroupInstanceId>,
    ) -> MemberId {
        if let Some(preset) = settings.member_ids.get(client) {
            let given = self.given.entry(client.clone()).or_default();
            if let Some(id) = preset.get(*given) {
                *given += 1;
                return id.clone();
            }
        }
        let prefix = instance.map_or(client.as_str(), |instance| instance.as_str());
        MemberId::from(format!("{prefix}-{}", self.chance.uuid()))
    }
}
