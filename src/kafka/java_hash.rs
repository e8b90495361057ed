//! Java's hash codes and the order in which its hash tables are walked.
//!
//! Some of Kafka's results depend on the order in which a `java.util.HashMap` is walked: the order in which the
//! sticky assignors visit the members, the order of topics inside the lists of `range`. This module computes that
//! order from the keys, so that the engine gives what Kafka gives. It is the only place where hash order exists;
//! nothing here is used for look-up.
//!
//! DEVIATION: a bucket of more than eight keys in a table of 64 or more buckets becomes a tree in Java, and its
//! root is walked first. Here it keeps insertion order. It takes nine keys that agree in all the bits that count.

use super::ids::Uuid;
use std::cmp::Ordering;

/// Buckets of an empty table before it grows.
const INITIAL_BUCKETS: usize = 16;
/// Below this size a crowded bucket makes the table grow instead of becoming a tree.
const TREE_BUCKETS: usize = 64;
/// Keys in one bucket from which it is crowded.
const CROWDED: usize = 9;

/// `String.hashCode`: over UTF-16 units, in wrapping 32-bit arithmetic.
pub fn string_hash(text: &str) -> i32 {
    let fold = |hash: i32, unit: i32| hash.wrapping_mul(31).wrapping_add(unit);
    if text.is_ascii() {
        text.bytes().map(i32::from).fold(0, fold)
    } else {
        text.encode_utf16().map(i32::from).fold(0, fold)
    }
}

/// `TopicPartition.hashCode`, from the hash of the topic's name.
pub fn topic_partition_hash(topic_hash: i32, partition: i32) -> i32 {
    31i32
        .wrapping_mul(31i32.wrapping_add(partition))
        .wrapping_add(topic_hash)
}

/// `Uuid.hashCode` of Kafka: the halves folded onto each other twice.
pub fn uuid_hash(id: Uuid) -> i32 {
    let halves = id.high ^ id.low;
    let [_, _, _, _, a, b, c, d] = (halves ^ (halves >> 32)).to_be_bytes();
    i32::from_be_bytes([a, b, c, d])
}

/// `String.compareTo`: by UTF-16 unit. It differs from byte order only beyond the basic plane.
pub fn compare_strings(left: &str, right: &str) -> Ordering {
    if left.is_ascii() || right.is_ascii() {
        left.cmp(right)
    } else {
        left.encode_utf16().cmp(right.encode_utf16())
    }
}

/// Which of `partitions` partitions of `__consumer_offsets` a group belongs to (`Utils.abs`, then modulo).
pub fn coordinator_partition(group_id: &str, partitions: i32) -> i32 {
    let hash = string_hash(group_id);
    // The absolute value of the smallest int does not exist; Kafka takes 0 for it.
    hash.checked_abs().unwrap_or(0) % partitions.max(1)
}

/// Positions of `hashes` in the order in which a `HashMap` filled with these keys, one by one, is walked.
/// The keys are all different.
pub fn walk(hashes: &[i32]) -> Vec<usize> {
    walk_from(INITIAL_BUCKETS, hashes)
}

/// As [`walk`], for a `HashSet` made from an existing collection, which is given its size beforehand.
pub fn walk_of_copy(hashes: &[i32]) -> Vec<usize> {
    walk_from(buckets_of_copy(hashes.len()), hashes)
}

/// Buckets that a set is given for `size` keys.
fn buckets_of_copy(size: usize) -> usize {
    (size * 4 / 3 + 1).max(INITIAL_BUCKETS).next_power_of_two()
}

/// Whether [`walk_of_copy`] would leave the keys as they are. Cheaper than asking for the order.
pub fn is_walk_of_copy(hashes: &[i32]) -> bool {
    let mask = buckets_of_copy(hashes.len()) - 1;
    // Ascending by bucket, and no bucket so crowded that a small table would have grown.
    hashes.is_sorted_by_key(|hash| spread(*hash) & mask)
        && hashes
            .windows(CROWDED)
            .all(|keys| spread(keys[0]) & mask != spread(keys[CROWDED - 1]) & mask)
}

/// As [`walk`], for a `HashMap` filled by `computeIfAbsent`, as `CollectionUtils.groupPartitionsByTopic` does: a new
/// key goes to the front of its bucket, and the table grows one key later.
pub fn walk_of_groups(hashes: &[i32]) -> Vec<usize> {
    let spread: Vec<usize> = hashes.iter().map(|hash| spread(*hash)).collect();
    let mut buckets = INITIAL_BUCKETS;
    for (size, hash) in spread.iter().enumerate() {
        if size * 4 > buckets * 3 {
            buckets *= 2;
        }
        if buckets < TREE_BUCKETS
            && size + 2 >= CROWDED
            && neighbours(&spread[..size], *hash, buckets) + 2 >= CROWDED
        {
            buckets *= 2;
        }
    }
    by_bucket((0..spread.len()).rev(), &spread, buckets)
}

fn walk_from(initial_buckets: usize, hashes: &[i32]) -> Vec<usize> {
    let spread: Vec<usize> = hashes.iter().map(|hash| spread(*hash)).collect();
    let mut buckets = initial_buckets;
    for size in 1..=spread.len() {
        buckets = buckets_after_insert(buckets, &spread[..size]);
    }
    by_bucket(0..spread.len(), &spread, buckets)
}

/// A counting sort of `positions` by bucket, which keeps their order inside a bucket.
fn by_bucket(
    positions: impl Iterator<Item = usize>,
    spread: &[usize],
    buckets: usize,
) -> Vec<usize> {
    let mut ends = vec![0usize; buckets + 1];
    for hash in spread {
        ends[(hash & (buckets - 1)) + 1] += 1;
    }
    for bucket in 1..ends.len() {
        ends[bucket] += ends[bucket - 1];
    }
    let mut order = vec![0; spread.len()];
    for position in positions {
        let slot = &mut ends[spread[position] & (buckets - 1)];
        order[*slot] = position;
        *slot += 1;
    }
    order
}

/// How many of `inserted` are in the bucket of `hash`.
fn neighbours(inserted: &[usize], hash: usize, buckets: usize) -> usize {
    inserted
        .iter()
        .filter(|other| (**other ^ hash) & (buckets - 1) == 0)
        .count()
}

/// Buckets after the last of `inserted` (spread hashes in insertion order) was put into a table of `buckets`.
fn buckets_after_insert(mut buckets: usize, inserted: &[usize]) -> usize {
    if buckets < TREE_BUCKETS
        && inserted.len() >= CROWDED
        && neighbours(inserted, inserted[inserted.len() - 1], buckets) >= CROWDED
    {
        buckets *= 2;
    }
    if inserted.len() * 4 > buckets * 3 {
        buckets * 2
    } else {
        buckets
    }
}

/// The bits by which a table chooses the bucket (`HashMap.hash`).
fn spread(hash: i32) -> usize {
    let hash = hash.cast_unsigned();
    // A table of Java has at most 2^30 buckets, so 32 bits are all that count.
    usize::try_from(hash ^ (hash >> 16)).expect("usize has at least 32 bits")
}

/// A `HashSet` that is added to and removed from, of which only the first element of the walk is wanted.
#[derive(Clone, Debug)]
pub struct WalkedSet {
    buckets: usize,
    hashes: Vec<usize>,
    values: Vec<usize>,
}

impl WalkedSet {
    /// An empty set.
    pub fn new() -> Self {
        Self {
            buckets: INITIAL_BUCKETS,
            hashes: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Adds `value`, which is not in the set yet.
    pub fn insert(&mut self, value: usize, hash: i32) {
        debug_assert!(!self.values.contains(&value), "a set holds a value once");
        self.hashes.push(spread(hash));
        self.values.push(value);
        self.buckets = buckets_after_insert(self.buckets, &self.hashes);
    }

    /// Takes `value` out, if it is there. The table keeps its size.
    pub fn remove(&mut self, value: usize) {
        if let Some(position) = self.values.iter().position(|held| *held == value) {
            self.hashes.remove(position);
            self.values.remove(position);
        }
    }

    /// What `iterator().next()` would give.
    pub fn first(&self) -> Option<usize> {
        let buckets = self.hashes.iter().map(|hash| hash & (self.buckets - 1));
        // `min_by_key` keeps the first of equals: insertion order inside a bucket.
        buckets
            .zip(&self.values)
            .min_by_key(|(bucket, _)| *bucket)
            .map(|(_, value)| *value)
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl Default for WalkedSet {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowded_bucket_makes_a_small_table_grow() {
        // Nine keys of bucket 0 of 16; the ninth splits them over 32 buckets, where odd multiples of 16 come later.
        let hashes: Vec<i32> = (0..9).map(|place| place * 16).collect();
        assert_eq!(walk(&hashes), [0, 2, 4, 6, 8, 1, 3, 5, 7]);
        assert_eq!(walk(&hashes[..8]), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn groups_are_put_in_front_of_their_bucket() {
        assert_eq!(walk_of_groups(&[16, 1, 0, 32]), [3, 2, 0, 1]);
        // Of 13 keys the last still finds 16 buckets.
        let hashes: Vec<i32> = (0..13).map(|place| place + 4).collect();
        assert_eq!(walk_of_groups(&hashes)[0], 12);
        assert_eq!(walk(&hashes)[12], 12);
    }

    #[test]
    fn the_first_of_a_set_is_that_of_its_walk() {
        let mut set = WalkedSet::new();
        let mut held: Vec<(usize, i32)> = Vec::new();
        for step in 0..60usize {
            let hash = i32::try_from(step * 37 % 101).expect("small");
            set.insert(step, hash);
            held.push((step, hash));
            if step % 3 == 0 {
                set.remove(held.remove(0).0);
            }
        }
        let mut by_bucket = held.clone();
        // 40 are left, and 39 were there when the table last grew: 64 buckets.
        by_bucket.sort_by_key(|(_, hash)| hash % 64);
        assert_eq!(set.first(), by_bucket.first().map(|(value, _)| *value));
    }

    #[test]
    fn strings_compare_by_utf16_unit() {
        assert_eq!(compare_strings("\u{ff5e}", "\u{1f600}"), Ordering::Greater);
        assert_eq!(compare_strings("a", "\u{1f600}"), Ordering::Less);
    }
}
