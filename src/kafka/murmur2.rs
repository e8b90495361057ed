//! murmur2 as Kafka computes it, and the partition of a key (`Utils.murmur2`, `BuiltInPartitioner`).

const SEED: u32 = 0x9747_b28c;
const M: u32 = 0x5bd1_e995;
const R: u32 = 24;

/// 32-bit murmur2 of `data`, as Java's signed integer.
pub fn murmur2(data: &[u8]) -> i32 {
    // Kafka's arrays have at most 2^31 - 1 bytes; the length only seeds the hash.
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    let mut hash = SEED ^ length;
    let (words, tail) = data.as_chunks::<4>();
    for word in words {
        let mut k = u32::from_le_bytes(*word).wrapping_mul(M);
        k ^= k >> R;
        hash = hash.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    if !tail.is_empty() {
        for (shift, byte) in [0, 8, 16].into_iter().zip(tail) {
            hash ^= u32::from(*byte) << shift;
        }
        hash = hash.wrapping_mul(M);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(M);
    hash ^= hash >> 15;
    hash.cast_signed()
}

/// The partition of a record with this key, of `partitions` partitions (at least one): all of the topic's, whether
/// they have a leader or not. Records without a key do not go through this.
pub fn partition_of_key(key: &[u8], partitions: i32) -> i32 {
    (murmur2(key) & i32::MAX) % partitions.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_the_specification_are_reproduced() {
        let cases: [(&str, i32); 7] = [
            ("21", -973_932_308),
            ("foobar", -790_332_482),
            ("abc", 479_470_107),
            ("", 275_646_681),
            ("user-1", 1_404_122_828),
            ("user-3", 1_141_442_267),
            ("key-0", 29_210_041),
        ];
        for (key, hash) in cases {
            assert_eq!(murmur2(key.as_bytes()), hash, "{key}");
        }
        assert_eq!([3, 4, 6].map(|n| partition_of_key(b"user-3", n)), [2, 3, 5]);
    }
}
