//! The frozen random generator: xoshiro256++ seeded by `SplitMix64`.
//!
//! Rules draw their chance from here, so its values never change: the golden vectors below pin them. A step takes its
//! chance as an argument ([`Chance`]), never from the state, so that a planner that clones a state cannot read the future.

/// A source of chance for the rules of a game.
pub trait Chance {
    /// A number below `bound`, which is at least 1.
    fn below(&mut self, bound: u32) -> u32;
}

impl<C: Chance + ?Sized> Chance for &mut C {
    fn below(&mut self, bound: u32) -> u32 {
        (**self).below(bound)
    }
}

/// Chance that always draws the smallest number: one end of what can happen, for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Smallest;

impl Chance for Smallest {
    fn below(&mut self, _bound: u32) -> u32 {
        0
    }
}

/// Chance that always draws the largest number: the other end of what can happen, for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Largest;

impl Chance for Largest {
    fn below(&mut self, bound: u32) -> u32 {
        bound - 1
    }
}

/// `SplitMix64`: turns any seed, however regular, into well mixed words.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A stream that begins at `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next word of the stream.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }
}

/// `SplitMix64`'s finaliser: a bijection of 64-bit words that spreads every input bit over all output bits.
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// xoshiro256++ by Blackman and Vigna.
///
/// ```
/// use damier_core::random::{Chance, Rng};
/// let mut rng = Rng::new(1);
/// let die = 1 + rng.below(6);
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    words: [u64; 4],
}

impl Rng {
    /// The stream of `seed`.
    pub const fn new(seed: u64) -> Self {
        let mut split = SplitMix64::new(seed);
        Self { words: [split.next_u64(), split.next_u64(), split.next_u64(), split.next_u64()] }
    }

    /// The stream of one game: it depends on the level (a hash of its text), the seed and the game's number alone.
    pub fn for_game(level: u64, seed: u64, game: u64) -> Self {
        let words = [level, seed, game];
        Self::new(words.into_iter().fold(0, |hash, word| mix(hash ^ word).wrapping_add(word)))
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.words;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.words = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// Shuffles the elements (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// A random element; `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len() as u32) as usize) }
    }
}

impl Chance for Rng {
    /// Unbiased: Lemire's multiplication with rejection.
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "nothing is below zero");
        let mut product = (self.next_u64() >> 32) * u64::from(bound);
        if (product as u32) < bound {
            let rejected_below = bound.wrapping_neg() % bound;
            while (product as u32) < rejected_below {
                product = (self.next_u64() >> 32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }
}

/// A stable 64-bit hash: FNV-1a, then mixed.
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    mix(bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    }))
}

/// The key of the `index`-th feature of a Zobrist hash, from a fixed stream named by `table`.
#[inline]
pub const fn zobrist(table: u64, index: u64) -> u64 {
    mix(mix(table.wrapping_add(0x9E37_79B9_7F4A_7C15)) ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    /// The first outputs published with the reference implementation of `SplitMix64` for seed 1234567.
    #[test]
    fn split_mix_matches_the_reference() {
        let mut split = SplitMix64::new(1_234_567);
        let got: Vec<u64> = (0..5).map(|_| split.next_u64()).collect();
        assert_eq!(
            got,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    /// The first outputs of the reference xoshiro256++ for the state 1, 2, 3, 4.
    #[test]
    fn xoshiro_matches_the_reference() {
        let mut rng = Rng { words: [1, 2, 3, 4] };
        let got: Vec<u64> = (0..6).map(|_| rng.next_u64()).collect();
        assert_eq!(
            got,
            [
                41_943_041,
                58_720_359,
                3_588_806_011_781_223,
                3_591_011_842_654_386,
                9_228_616_714_210_784_205,
                9_973_669_472_204_895_162
            ]
        );
    }

    #[test]
    fn streams_of_games_are_frozen_and_differ() {
        let first = |level, seed, game| Rng::for_game(level, seed, game).next_u64();
        assert_eq!(first(5, 1, 0), FROZEN_FIRST);
        assert_ne!(first(5, 1, 0), first(5, 1, 1));
        assert_ne!(first(5, 1, 0), first(5, 2, 0));
        assert_ne!(first(5, 1, 0), first(6, 1, 0));
        assert_ne!(first(5, 1, 2), first(5, 2, 1));
    }
    const FROZEN_FIRST: u64 = 14_015_839_709_177_487_563;

    #[test]
    fn bounded_draws_are_frozen() {
        let mut rng = Rng::new(42);
        let got: Vec<u32> = (1..=12).map(|bound| rng.below(bound)).collect();
        assert_eq!(got, FROZEN_DRAWS);
    }
    const FROZEN_DRAWS: [u32; 12] = [0, 0, 2, 2, 3, 3, 0, 4, 1, 9, 6, 10];

    #[test]
    fn bounded_draws_are_fair() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
    }

    proptest! {
        #[test]
        fn draws_stay_below_their_bound(seed: u64, bound in 1u32..) {
            prop_assert!(Rng::new(seed).below(bound) < bound);
            prop_assert_eq!(Smallest.below(bound), 0);
            prop_assert_eq!(Largest.below(bound), bound - 1);
        }

        #[test]
        fn a_shuffle_keeps_every_element(seed: u64, length in 0usize..50) {
            let mut items: Vec<usize> = (0..length).collect();
            Rng::new(seed).shuffle(&mut items);
            items.sort_unstable();
            prop_assert_eq!(items, (0..length).collect::<Vec<_>>());
        }
    }
}
