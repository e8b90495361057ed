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
    pub corrupt_next: &'static str,
    pub poison_this: &'static str,
    pub corrupt_this: &'static str,
    pub delete_before_this: &'static str,
    pub commit_every: &'static str,
    pub more_of_program: &'static str,
    pub polls: &'static str,
    /// By value of the list: `always`, `every`.
    pub poll_way: fn(&str) -> &'static str,
    pub poll_period: &'static str,
    pub poll_phase: &'static str,
    pub time_spread: &'static str,
    pub busy: &'static str,
    pub callback_time: &'static str,
    pub on_exception: &'static str,
    /// By value of the list: `go_on`, `crash`, `close`.
    pub exception_way: fn(&str) -> &'static str,
    pub crash_after: &'static str,
    pub never: &'static str,
    pub assign_time: &'static str,
    pub as_others: &'static str,
    pub queue_max: &'static str,
    pub threads: &'static str,
    pub no_threads: &'static str,

    pub consumers_to_add: &'static str,
    pub add_consumers: fn(usize) -> String,
    pub add_producer: &'static str,
    pub new_name: &'static str,
    pub create_topic: &'static str,
    pub new_partitions: &'static str,
    pub send_record: &'static str,
    pub no_key: &'static str,
    pub send_now: &'static str,
}
