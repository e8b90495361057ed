//! Our bytes against those of the crate kafka-protocol: any message at any version, written by us, is
//! read by it and written back the same; and nothing that is done to the bytes makes us panic.

use proptest::prelude::*;
use regroup::kafka::api::versions::has_flexible_response_header;
use regroup::kafka::api::visit::{TaggedField, Visited, Visitor};
use regroup::kafka::api::{ApiKey, Request, RequestHeader, Response};
use regroup::kafka::chance::Chance;
use regroup::kafka::error::ErrorCode;
use regroup::kafka::ids::{Bytes, Offset, Uuid};
use regroup::kafka::record::{BATCH_OVERHEAD_BYTES, Record, RecordBatch, record_bytes};
use regroup::kafka::wire::{
    decode_request, decode_response, encode_request, encode_response, is_flexible, versions,
};
use std::rc::Rc;

/// Fills a message with random values while it walks over it.
struct Fill {
    version: i16,
    chance: Chance,
}

impl Fill {
    fn number(&mut self, width: usize) -> i64 {
        let bits = i64::from(self.chance.bits()) << 32 | i64::from(self.chance.bits());
        bits >> (64 - 8 * width)
    }

    fn word(&mut self) -> Rc<str> {
        let letters = ["a", "Z", "0", "-", "é", "그", "😀"];
        (0..self.chance.below(6))
            .map(|_| letters[self.chance.below(7) as usize])
            .collect::<String>()
            .into()
    }

    fn some_bytes(&mut self) -> Bytes {
        (0..self.chance.below(200))
            .map(|_| self.chance.bits() as u8)
            .collect()
    }

    fn record(&mut self, index: i32) -> Record {
        let headers = (0..self.chance.below(3))
            .map(|_| (self.word(), Some(self.some_bytes())))
            .collect();
        Record {
            timestamp_delta: self.number(3),
            offset_delta: index,
            key: (self.chance.below(2) == 0).then(|| self.some_bytes()),
            value: (self.chance.below(4) > 0).then(|| self.some_bytes()),
            headers,
        }
    }

    fn batch(&mut self) -> RecordBatch {
        let records: Rc<[Record]> = (0..1 + self.chance.below(4))
            .map(|index| self.record(index as i32))
            .collect();
        let size: i32 = records.iter().map(record_bytes).sum();
        RecordBatch {
            base_offset: Offset(self.number(4)),
            partition_leader_epoch: self.number(4) as i32,
            attributes: 0,
            last_offset_delta: records.len() as i32 - 1,
            base_timestamp: self.number(5),
            max_timestamp: self.number(5),
            producer_id: self.number(8),
            producer_epoch: self.number(2) as i16,
            base_sequence: self.number(4) as i32,
            records,
            size_bytes: BATCH_OVERHEAD_BYTES + size,
        }
    }
}

impl Visitor for Fill {
    fn version(&self) -> i16 {
        self.version
    }
    fn int(&mut self, name: &'static str, width: usize, value: &mut i64) -> Visited {
        *value = match (name, width) {
            ("error_code", _) => {
                let any = self.chance.below(ErrorCode::ALL.len() as u32) as usize;
                i64::from(ErrorCode::ALL[any].code())
            }
            // Booleans and flags: any other number would come back as 1.
            (_, 1) => i64::from(self.chance.below(2)),
            // The engine has no authorisation: these are always "not asked".
            (name, 4) if name.ends_with("authorized_operations") => i64::from(i32::MIN),
            _ => self.number(width),
        };
        Ok(())
    }
    fn text(
        &mut self,
        _name: &'static str,
        nullable: bool,
        value: &mut Option<Rc<str>>,
    ) -> Visited {
        *value = (!nullable || self.chance.below(2) == 0).then(|| self.word());
        Ok(())
    }
    fn bytes(&mut self, _name: &'static str, nullable: bool, value: &mut Option<Bytes>) -> Visited {
        *value = (!nullable || self.chance.below(2) == 0).then(|| self.some_bytes());
        Ok(())
    }
    fn uuid(&mut self, _name: &'static str, value: &mut Uuid) -> Visited {
        *value = Uuid {
            high: self.number(8),
            low: self.number(8),
        };
        Ok(())
    }
    fn records(&mut self, _name: &'static str, value: &mut Vec<Rc<RecordBatch>>) -> Visited {
        *value = (0..self.chance.below(3))
            .map(|_| Rc::new(self.batch()))
            .collect();
        Ok(())
    }
    fn length(
        &mut self,
        _name: &'static str,
        nullable: bool,
        value: &mut Option<usize>,
    ) -> Visited {
        *value = (!nullable || self.chance.below(3) > 0).then(|| self.chance.below(4) as usize);
        Ok(())
    }
    fn enter(&mut self, _name: &'static str, _index: usize) {}
    fn leave(&mut self) {}
    fn tagged_fields(&mut self, _kept: Option<&mut Vec<TaggedField>>) -> Visited {
        Ok(())
    }
    fn throttle_time_ms(&mut self) -> Visited {
        Ok(())
    }
}

fn random_request(api: ApiKey, fill: &mut Fill) -> Request {
    let mut request = Request::empty(api);
    request.visit(fill).expect("filling never stops");
    request
}

fn random_response(api: ApiKey, fill: &mut Fill) -> Response {
    let mut response = Response::empty(api);
    response.visit(fill).expect("filling never stops");
    response
}

/// Reads `body` as the other crate's `T`, and gives back what that writes.
fn through_the_oracle<T>(body: &[u8], version: i16) -> Vec<u8>
where
    T: kafka_protocol::protocol::Decodable + kafka_protocol::protocol::Encodable,
{
    let mut input = bytes::Bytes::copy_from_slice(body);
    let message = T::decode(&mut input, version).expect("the oracle reads it");
    assert!(input.is_empty(), "the oracle leaves {} bytes", input.len());
    let mut output = bytes::BytesMut::new();
    message
        .encode(&mut output, version)
        .expect("the oracle writes it");
    output.to_vec()
}

macro_rules! oracle {
    ($($variant:ident $request:ident $response:ident;)*) => {
        fn request_again(api: ApiKey, body: &[u8], version: i16) -> Vec<u8> {
            match api { $(ApiKey::$variant =>
                through_the_oracle::<kafka_protocol::messages::$request>(body, version),)* }
        }
        fn response_again(api: ApiKey, body: &[u8], version: i16) -> Vec<u8> {
            match api { $(ApiKey::$variant =>
                through_the_oracle::<kafka_protocol::messages::$response>(body, version),)* }
        }
    };
}

oracle! {
    Produce ProduceRequest ProduceResponse;
    Fetch FetchRequest FetchResponse;
    ListOffsets ListOffsetsRequest ListOffsetsResponse;
    Metadata MetadataRequest MetadataResponse;
    OffsetCommit OffsetCommitRequest OffsetCommitResponse;
    OffsetFetch OffsetFetchRequest OffsetFetchResponse;
    FindCoordinator FindCoordinatorRequest FindCoordinatorResponse;
    JoinGroup JoinGroupRequest JoinGroupResponse;
    Heartbeat HeartbeatRequest HeartbeatResponse;
    LeaveGroup LeaveGroupRequest LeaveGroupResponse;
    SyncGroup SyncGroupRequest SyncGroupResponse;
    DescribeGroups DescribeGroupsRequest DescribeGroupsResponse;
    ListGroups ListGroupsRequest ListGroupsResponse;
    ApiVersions ApiVersionsRequest ApiVersionsResponse;
    CreateTopics CreateTopicsRequest CreateTopicsResponse;
    DeleteTopics DeleteTopicsRequest DeleteTopicsResponse;
    DeleteRecords DeleteRecordsRequest DeleteRecordsResponse;
    InitProducerId InitProducerIdRequest InitProducerIdResponse;
    OffsetForLeaderEpoch OffsetForLeaderEpochRequest OffsetForLeaderEpochResponse;
    DescribeConfigs DescribeConfigsRequest DescribeConfigsResponse;
    CreatePartitions CreatePartitionsRequest CreatePartitionsResponse;
    DeleteGroups DeleteGroupsRequest DeleteGroupsResponse;
    OffsetDelete OffsetDeleteRequest OffsetDeleteResponse;
    DescribeCluster DescribeClusterRequest DescribeClusterResponse;
}

/// Every API at every version that we speak.
fn all_versions() -> impl Iterator<Item = (ApiKey, i16)> {
    ApiKey::ALL
        .iter()
        .flat_map(|&api| (versions(api).min..=versions(api).max).map(move |version| (api, version)))
}

/// The versions that the other crate has too: it lacks those that 4.0 dropped.
fn oracle_has(api: ApiKey, version: i16) -> bool {
    let theirs = kafka_protocol::messages::ApiKey::try_from(api.key())
        .expect("known")
        .valid_versions();
    (theirs.min..=theirs.max).contains(&version)
}

fn flip(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + chance.below(4) {
        let bit = chance.below(bytes.len() as u32 * 8) as usize;
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    let end = chance.below(bytes.len() as u32 * 2) as usize;
    bytes.truncate(end);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_message_at_any_version_agrees_with_the_oracle_and_survives_damage(seed: u64) {
        let mut chance = Chance::new(seed, "damage");
        for (api, version) in all_versions() {
            let mut fill = Fill { version, chance: Chance::new(seed, "fill") };
            let request = random_request(api, &mut fill);
            let header = RequestHeader { api_version: version, correlation_id: 7, client_id: Some("me".into()) };
            let bytes = encode_request(&header, &request).expect("encodes");
            let decoded = decode_request(&bytes).unwrap_or_else(|e| panic!("{} v{version}: {e}", api.name()));
            prop_assert_eq!(&decoded.request, &request, "{} request v{}", api.name(), version);
            prop_assert_eq!(&decoded.header, &header);
            let body = if is_flexible(api, version) { &bytes[13..] } else { &bytes[12..] };
            if oracle_has(api, version) {
                prop_assert_eq!(request_again(api, body, version), body, "{} request v{}", api.name(), version);
            }
            let mut response = random_response(api, &mut fill);
            if let Response::ApiVersions(answer) = &mut response {
                // A refusal is of version 0, whatever was asked in (tests/serve.rs).
                answer.error_code = ErrorCode::None;
            }
            let bytes_back = encode_response(version, 9, 11, &response).expect("encodes");
            let decoded = decode_response(api, version, &bytes_back)
                .unwrap_or_else(|e| panic!("{} v{version}: {e}", api.name()));
            prop_assert_eq!(&decoded.response, &response, "{} response v{}", api.name(), version);
            prop_assert_eq!(decoded.throttle_time_ms, if encode_has_throttle(api, version) { 11 } else { 0 });
            let body = if has_flexible_response_header(api, version) { &bytes_back[5..] } else { &bytes_back[4..] };
            if oracle_has(api, version) {
                prop_assert_eq!(response_again(api, body, version), body, "{} response v{}", api.name(), version);
            }
            for _ in 0..4 {
                let _ = decode_request(&flip(&bytes, &mut chance));
                let _ = decode_response(api, version, &flip(&bytes_back, &mut chance));
            }
        }
    }

    #[test]
    fn no_bytes_at_all_make_the_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode_request(&bytes);
        for (api, version) in all_versions() {
            let _ = decode_response(api, version, &bytes);
        }
    }
}

/// Since which version an answer speaks of quotas (Kafka's message definitions).
fn encode_has_throttle(api: ApiKey, version: i16) -> bool {
    let since = match api {
        ApiKey::Produce | ApiKey::Fetch | ApiKey::SyncGroup | ApiKey::Heartbeat => 1,
        ApiKey::LeaveGroup | ApiKey::FindCoordinator => 1,
        ApiKey::JoinGroup | ApiKey::ListOffsets => 2,
        ApiKey::Metadata | ApiKey::OffsetCommit | ApiKey::OffsetFetch => 3,
        ApiKey::DescribeGroups
        | ApiKey::ListGroups
        | ApiKey::ApiVersions
        | ApiKey::DeleteTopics => 1,
        ApiKey::CreateTopics | ApiKey::OffsetForLeaderEpoch => 2,
        ApiKey::CreatePartitions | ApiKey::DeleteGroups | ApiKey::DeleteRecords => 0,
        ApiKey::DescribeConfigs => 0,
        ApiKey::DescribeCluster | ApiKey::InitProducerId | ApiKey::OffsetDelete => 0,
    };
    version >= since
}

#[test]
fn the_oracle_knows_most_versions() {
    let known = all_versions()
        .filter(|&(api, version)| oracle_has(api, version))
        .count();
    assert!(known >= 70, "only {known} of {}", all_versions().count());
}
