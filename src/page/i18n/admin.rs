//! Texts of what an administrator's tools and a program's habits offer.

/// The texts.
#[allow(missing_docs)]
pub struct AdminTexts {
    pub tools: &'static str,
    pub reset_offsets: &'static str,
    pub topic: &'static str,
    pub all_topics: &'static str,
    pub reset_to: &'static str,
    /// By value of the list: `earliest`, `latest`, `offset`, `shift`, `time`.
    pub reset_way: fn(&str) -> &'static str,
    pub offset: &'static str,
    pub by: &'static str,
    pub at_ms: &'static str,
    pub delete_offsets: &'static str,
    pub delete_group: &'static str,
    pub remove_member: fn(&str) -> String,
    pub delete_topic: &'static str,
    pub delete_records_before: &'static str,
    pub delete_all_records: &'static str,

    pub commit_when_revoked: &'static str,
    pub commit_on_close: &'static str,
    pub on_poison: &'static str,
    /// By value of the list: `crash`, `retry`, `skip`, `retry_topic`.
    pub poison_way: fn(&str) -> &'static str,
    pub poison_next: &'static str,
    pub threads: &'static str,
    pub no_threads: &'static str,
}
