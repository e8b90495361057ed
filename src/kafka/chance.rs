//! Chance from the scenario's seed: one stream per purpose, so that a new use disturbs no other.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// A stream of random bits. Ranges, shuffles and ratios are made here from whole numbers, so that a
/// seed means the same next year.
#[derive(Clone, PartialEq, Debug)]
pub struct Chance(Pcg32);

impl Chance {
    /// The stream named `purpose` of `seed`. Equal arguments give equal streams.
    pub fn new(seed: u64, purpose: &str) -> Self {
        // FNV-1a: small, fixed for ever, and good enough to keep streams apart.
        let stream = purpose
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Self(Pcg32::new(seed, stream))
    }

    /// 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A number below `bound`; 0 if `bound` is 0. Without bias (Lemire's method with rejection).
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let wide = u64::from(self.bits()) * u64::from(bound);
            if (wide & 0xffff_ffff) >= u64::from(threshold) {
                return (wide >> 32) as u32;
            }
        }
    }

    /// A version-4 UUID in text form, as `Uuid.randomUUID` prints it.
    pub fn uuid(&mut self) -> String {
        let mut bytes = [0_u8; 16];
        for chunk in bytes.chunks_mut(4) {
            chunk.copy_from_slice(&self.bits().to_be_bytes());
        }
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        let mut text = String::with_capacity(36);
        for (index, byte) in bytes.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                text.push('-');
            }
            text.push_str(&format!("{byte:02x}"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_these_numbers_for_ever() {
        let mut chance = Chance::new(1, "member ids");
        let drawn: Vec<u32> = (0..5).map(|_| chance.below(100)).collect();
        assert_eq!(drawn, GOLDEN_BELOW_100);
        assert_eq!(chance.uuid(), GOLDEN_UUID);
    }

    const GOLDEN_BELOW_100: [u32; 5] = [76, 33, 15, 72, 57];
    const GOLDEN_UUID: &str = "3ca369df-3c47-4f6d-93a1-217711b950fc";

    #[test]
    fn purposes_have_streams_of_their_own() {
        let (mut a, mut b) = (Chance::new(1, "a"), Chance::new(1, "b"));
        assert_ne!([a.bits(), a.bits()], [b.bits(), b.bits()]);
    }
}
