//! Sets of orders in which the players become known.
//!
//! * Antithetic: an order, and the same backwards. The mean of the two is exact wherever coalitions
//!   gain by members and pairs of members alone.
//! * Stratified by place: the players sit around a circle, and every order that goes once around it
//!   counts, from every player on and both ways round, so that every player stands at every place
//!   equally often. The coalitions are the arcs of the circle, and going back around meets none
//!   that going there has not met: p walks are worth 2p orders. Circles come together, as many as
//!   half of the least prime q that is not below p: players get different numbers modulo q, and
//!   circle m sorts them by m times their number. Where p is prime, these are the orders of the
//!   affine group, in which every two players stand at every two places equally often.
//! * All: of few players, walks that between them meet every coalition, as few as there can be.
//!   Then every coalition counts as in the definition, and nothing is left to chance. Of so few,
//!   drawn orders are often worth the same, so that an error estimated from their differences is
//!   zero and the value wrong.

use crate::random::{Purpose, Stream};

/// How the orders of a set hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Design {
    Antithetic,
    Stratified,
    All,
}

/// Most players of whom all coalitions take no more walks than the first antithetic orders.
pub(super) const MOST_OF_ALL: usize = 5;

impl Design {
    /// How results speak of it.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Antithetic => "antithetic",
            Self::Stratified => "stratified",
            Self::All => "all",
        }
    }

    /// Walks through the forest that a set of orders takes.
    pub(super) fn n_walks(self, n_players: usize) -> usize {
        match self {
            Self::Antithetic => 2,
            Self::Stratified => n_players * n_circles(n_players),
            Self::All => n_chains(n_players),
        }
    }

    /// Orders of a set; an order there and back counts once.
    pub(super) fn n_orders(self, n_players: usize) -> usize {
        match self {
            Self::Antithetic => 1,
            Self::Stratified | Self::All => self.n_walks(n_players),
        }
    }

    /// Walks that an order there and back takes.
    pub(super) fn walks_of_an_order(self, n_players: usize) -> f64 {
        self.n_walks(n_players) as f64 / self.n_orders(n_players) as f64
    }

    /// Draws a set: per walk, the place of every player.
    pub(super) fn draw(
        self,
        seed: u64,
        number: usize,
        n_players: usize,
        places: &mut Vec<Vec<u32>>,
    ) {
        let mut stream = Stream::new(seed, number, Purpose::OrderOfPlayers);
        places.resize_with(self.n_walks(n_players), Vec::new);
        places.iter_mut().for_each(Vec::clear);
        let last = (n_players as u32).saturating_sub(1);
        if let (Self::Antithetic, [there, back]) = (self, places.as_mut_slice()) {
            there.extend(0..=last);
            stream.shuffle(there);
            back.extend(there.iter().map(|place| last - place));
            return;
        }
        if self == Self::All {
            for (places, order) in places.iter_mut().zip(chains(n_players)) {
                places.resize(n_players, 0);
                (0..).zip(order).for_each(|(place, player)| places[player] = place);
            }
            return;
        }
        let modulus = prime_from(n_players);
        let mut numbers: Vec<u32> = (0..modulus as u32).collect();
        stream.shuffle(&mut numbers);
        numbers.truncate(n_players);
        let mut circle: Vec<usize> = (0..n_players).collect();
        for (factor, walks) in (1..).zip(places.chunks_exact_mut(n_players.max(1))) {
            circle.sort_unstable_by_key(|&player| factor * numbers[player] as usize % modulus);
            for (start, places) in walks.iter_mut().enumerate() {
                places.resize(n_players, 0);
                for (seat, &player) in circle.iter().enumerate() {
                    places[player] = ((seat + n_players - start) % n_players) as u32;
                }
            }
        }
    }

    /// Calls `each` with every player of every order of a set, the coalitions without and with it,
    /// and the share that the order has.
    pub(super) fn join(self, places: &[Vec<u32>], mut each: impl FnMut(usize, [Arc; 2], f64)) {
        if self == Self::All {
            return join_all(places, each);
        }
        let ways_round = if self == Self::Stratified { 2.0 } else { 1.0 };
        let share = 1.0 / (ways_round * places.len() as f64);
        for (walk, of_walk) in places.iter().enumerate() {
            let n_players = of_walk.len();
            for (player, &place) in of_walk.iter().enumerate() {
                let size = place as usize;
                each(player, [Arc { walk, size }, Arc { walk, size: size + 1 }], share);
                if self == Self::Stratified {
                    // The other way round, those who sit next come first. The walk that begins at
                    // a seat is named by it, and seats are places on the first walk of a circle.
                    let first = walk / n_players * n_players;
                    let seat = places[first][player] as usize;
                    let before = Arc { walk: first + (seat + 1) % n_players, size };
                    each(player, [before, Arc { walk: first + seat, size: size + 1 }], share);
                }
            }
        }
    }
}

/// A coalition: so many players from the beginning of a walk on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) walk: usize,
    pub(super) size: usize,
}

/// The same of walks that meet every coalition: the shares are those of Shapley's definition.
fn join_all(places: &[Vec<u32>], mut each: impl FnMut(usize, [Arc; 2], f64)) {
    let n_players = places.first().map_or(0, Vec::len);
    let mut arcs = vec![Arc { walk: 0, size: 0 }; 1 << n_players];
    for (walk, places) in places.iter().enumerate() {
        for size in 0..=n_players {
            let members = (0..n_players).filter(|&player| (places[player] as usize) < size);
            let coalition = members.fold(0, |all, player| all | 1_usize << player);
            arcs[coalition] = Arc { walk, size };
        }
    }
    for player in 0..n_players {
        for without in (0..arcs.len()).filter(|coalition| coalition >> player & 1 == 0) {
            let size = without.count_ones() as usize;
            // Players times the coalitions of this size among the others.
            let share = 1.0 / (n_players as f64 * choose(n_players - 1, size));
            each(player, [arcs[without], arcs[without | 1 << player]], share);
        }
    }
}

/// Orders of the players whose beginnings are all coalitions: the symmetric chains of de Bruijn,
/// Tengbergen and Kruyswijk (1951), found by matching brackets (Greene and Kleitman 1976), with what is
/// missing at both ends.
fn chains(n_players: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1_usize << n_players).filter_map(move |least| {
        // Those who are out open brackets, those who are in close them.
        let mut open = Vec::new();
        for player in 0..n_players {
            if least >> player & 1 == 0 {
                open.push(player);
            } else {
                // A chain begins where everyone who is in closes a bracket.
                open.pop()?;
            }
        }
        let is_in = |player: &usize| least >> player & 1 == 1;
        let mut order: Vec<usize> = (0..n_players).filter(is_in).collect();
        order.extend(&open);
        order.extend((0..n_players).filter(|player| !is_in(player) && !open.contains(player)));
        Some(order)
    })
}

fn n_chains(n_players: usize) -> usize {
    choose(n_players, n_players / 2) as usize
}

/// The binomial coefficient "n choose k".
fn choose(n: usize, k: usize) -> f64 {
    if k > n {
        return 0.0;
    }
    (0..k.min(n - k)).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

/// Circles that have no two neighbours in common where the number of players is prime.
fn n_circles(n_players: usize) -> usize {
    ((prime_from(n_players) - 1) / 2).max(1)
}

/// The least prime that is not below a number.
fn prime_from(number: usize) -> usize {
    let is_prime = |candidate: &usize| {
        let mut divisors = (2..).take_while(|divisor| divisor * divisor <= *candidate);
        divisors.all(|divisor| !candidate.is_multiple_of(divisor))
    };
    // Between a number and its double there is a prime (Bertrand).
    (number.max(2)..=2 * number.max(2)).find(is_prime).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shapley values of a game by a set of orders.
    fn values(design: Design, number: usize, n: usize, game: impl Fn(u32) -> f64) -> Vec<f64> {
        let mut places = Vec::new();
        design.draw(5, number, n, &mut places);
        assert_eq!(places.len(), design.n_walks(n));
        let worth = |arc: Arc| {
            let members = (0..n).filter(|&player| (places[arc.walk][player] as usize) < arc.size);
            game(members.map(|player| 1 << player).sum())
        };
        let mut values = vec![0.0; n];
        let mut shares = vec![0.0; n];
        design.join(&places, |player, [before, after], share| {
            values[player] += share * (worth(after) - worth(before));
            shares[player] += share;
            let known = |arc: Arc| (places[arc.walk][player] as usize) < arc.size;
            assert!(!known(before) && known(after), "{design:?}");
        });
        assert!(shares.iter().all(|share| (share - 1.0_f64).abs() < 1e-12), "{shares:?}");
        values
    }

    /// Up to three players, a set holds all orders.
    #[test]
    fn three_players_leave_nothing_to_chance() {
        // The glove game: the first player has a left one, the others have right ones.
        let game = |members: u32| f64::from(u8::from(members & 1 == 1 && members > 1));
        for number in 0..5 {
            let found = values(Design::Stratified, number, 3, game);
            for (found, expected) in found.iter().zip([2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0]) {
                assert!((found - expected).abs() < 1e-12, "{found}");
            }
            assert_eq!(values(Design::Stratified, number, 2, game), [0.5, 0.5]);
            assert_eq!(values(Design::Stratified, number, 1, f64::from), [1.0]);
        }
    }

    /// Of few players all coalitions are met, by no more walks than there are in the largest layer, and
    /// the values are those of the definition whatever the game.
    #[test]
    fn few_players_leave_nothing_to_chance() {
        for n in 1..=8_usize {
            let worth: Vec<f64> =
                (0..1_u32 << n).map(|set| (f64::from(set * set % 97) * 0.37).sin()).collect();
            let found = values(Design::All, 3, n, |set| worth[set as usize]);
            let factorial = |n: usize| (1..=n).map(|factor| factor as f64).product::<f64>();
            for (player, found) in found.into_iter().enumerate() {
                let without = (0..worth.len()).filter(|set| set >> player & 1 == 0);
                let terms = without.map(|set| {
                    let size = set.count_ones() as usize;
                    let weight = factorial(size) * factorial(n - size - 1) / factorial(n);
                    weight * (worth[set | 1 << player] - worth[set])
                });
                let expected: f64 = terms.sum();
                assert!((found - expected).abs() < 1e-12, "{n}: {found}, {expected}");
            }
        }
        let layers = [1, 2, 3, 6, 10, 20, 35, 70];
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(|n| Design::All.n_walks(n)), layers);
    }

    /// What depends on the place of a player alone is known exactly, for any number of players; with
    /// antithetic orders it is not.
    #[test]
    fn places_are_left_to_no_chance() {
        for n in 2..=12_usize {
            let game = |members: u32| f64::from(members.count_ones()).powi(3);
            let expected = (n as f64).powi(2);
            for number in 0..3 {
                for value in values(Design::Stratified, number, n, game) {
                    assert!((value / expected - 1.0).abs() < 1e-12, "{n}: {value}, {expected}");
                }
            }
        }
        let of_places = values(Design::Antithetic, 0, 6, |set| f64::from(set.count_ones()).powi(3));
        assert!(of_places.iter().any(|value| (value - 36.0).abs() > 1.0), "{of_places:?}");
    }

    /// Members and pairs of members: both designs are exact.
    #[test]
    fn pairs_are_left_to_no_chance() {
        let game = |members: u32| {
            let pair = |a: u32, b: u32| f64::from(members >> a & members >> b & 1);
            3.0 * pair(0, 0) - pair(4, 4) + 2.0 * pair(0, 1) - 5.0 * pair(2, 5) + pair(1, 5)
        };
        let expected = [4.0, 1.5, -2.5, 0.0, -1.0, -2.0, 0.0];
        for design in [Design::Antithetic, Design::Stratified] {
            let found = values(design, 3, 7, game);
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{design:?}: {found}, {expected}");
            }
        }
    }

    /// Over many sets the mean is the Shapley value of a game in which three come together.
    #[test]
    fn sets_are_drawn_without_preference() {
        for (design, n_sets) in [(Design::Antithetic, 20_000), (Design::Stratified, 2_000)] {
            let game = |members: u32| f64::from(u8::from(members & 0b1011 == 0b1011));
            let mut means = [0.0; 6];
            for number in 0..n_sets {
                let found = values(design, number, 6, game);
                let terms = means.iter_mut().zip(found);
                terms.for_each(|(mean, value)| *mean += value / n_sets as f64);
            }
            for (player, mean) in means.iter().enumerate() {
                let expected = if [0, 1, 3].contains(&player) { 1.0 / 3.0 } else { 0.0 };
                assert!((mean - expected).abs() < 0.01, "{design:?} {player}: {mean}");
            }
        }
    }
}
