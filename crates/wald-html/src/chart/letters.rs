//! How wide words are, and words in several lines.

/// Widths of the letters from blank to tilde in thousandths of their size, in Helvetica and in the many
/// fonts of equal widths (Adobe Core 14 font metrics; Arial, Arimo, Liberation Sans).
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Of letters that are not in the list: Latin, Greek and Cyrillic ones, and wider ones.
const OTHER: f64 = 0.6;
const WIDE: f64 = 1.0;

/// Width of words of a size.
pub(super) fn width(words: &str, size: f64) -> f64 {
    let of_letter = |letter: char| match letter {
        ' '..='~' => f64::from(WIDTHS[letter as usize - ' ' as usize]) / 1000.0,
        '\u{2026}' | '\u{1100}'.. => WIDE,
        _ => OTHER,
    };
    size * words.chars().map(of_letter).sum::<f64>()
}

/// Words in lines that are no wider than `room`, at most so many; what does not fit is cut. Lines break
/// between words and parts of names, and within them only where a part is wider than a line.
pub(super) fn lines(words: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in parts(words) {
        let pieces = if width(part.trim_end(), size) > room { letters(part) } else { vec![part] };
        for piece in pieces {
            let line = &lines[lines.len() - 1];
            let is_full = width((line.clone() + piece).trim_end(), size) > room;
            if is_full && !line.is_empty() {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(piece);
            }
        }
    }
    if lines.len() > 1 && most == 1 {
        return vec![shortened(words, size, room)];
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            while !last.is_empty() && width(&format!("{last}\u{2026}"), size) > room {
                last.pop();
            }
            last.push('\u{2026}');
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Words on one line, with their middle left out if need be: names of a table often begin alike.
pub(super) fn shortened(words: &str, size: f64, room: f64) -> String {
    let all: Vec<char> = words.chars().collect();
    let mut n_kept = all.len();
    loop {
        let start = n_kept.div_ceil(2);
        let end = all.len() - (n_kept - start);
        let middle = (start < end).then_some('\u{2026}');
        let cut: String =
            all[..start].iter().copied().chain(middle).chain(all[end..].iter().copied()).collect();
        if n_kept <= 2 || width(&cut, size) <= room {
            return cut;
        }
        n_kept -= 1;
    }
}

/// The same in as many lines, but lines that are about equally wide.
pub(super) fn even_lines(words: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let usual = lines(words, size, room, most);
    let share = width(words, size) / usual.len() as f64;
    if usual.len() == 1 || share >= room {
        return usual;
    }
    // Wider from step to step, until there are as few lines.
    let rooms = (0..20).map(|step| share + (room - share) * f64::from(step) / 20.0);
    let mut found = rooms.map(|room| lines(words, size, room, most + 1));
    found.find(|lines| lines.len() == usual.len()).unwrap_or(usual)
}

/// Where lines may break: behind blanks and the marks that join words, and before capitals.
fn parts(words: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut last) = (0, ' ');
    for (at, letter) in words.char_indices() {
        let is_joint = matches!(last, ' ' | '_' | '-' | '.' | '/' | ',' | ':' | '=');
        let is_start = is_joint && letter != ' ' || last.is_lowercase() && letter.is_uppercase();
        if is_start && at > start {
            parts.push(&words[start..at]);
            start = at;
        }
        last = letter;
    }
    parts.push(&words[start..]);
    parts
}

fn letters(words: &str) -> Vec<&str> {
    let ends = words.char_indices().map(|(at, letter)| at..at + letter.len_utf8());
    ends.map(|letter| &words[letter]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_as_wide_as_in_helvetica() {
        assert!((width("Wi~ ", 10.0) - (9.44 + 2.22 + 5.84 + 2.78)).abs() < 1e-9);
    }

    #[test]
    fn lines_break_between_the_parts_of_names() {
        let of = |words: &str, room: f64, most| lines(words, 10.0, room, most);
        assert_eq!(of("mean_concave_points", 60.0, 3), ["mean_", "concave_", "points"]);
        assert_eq!(of("mean concave points", 200.0, 3), ["mean concave points"]);
        assert_eq!(of("bodyMass", 30.0, 3), ["body", "Mass"]);
        assert_eq!(of("iiiiiiiiii", 12.0, 9), ["iiiii", "iiiii"]);
        assert_eq!(of("", 12.0, 9), [""]);
        let cut = of("a b c d e f g h", 12.0, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('\u{2026}'), "{cut:?}");
        assert_eq!(shortened("iiiiiiiiiiii", 10.0, 22.3), "iii\u{2026}ii");
        assert_eq!(of("iiiiiiiiiiii", 22.3, 1), ["iii\u{2026}ii"]);
        let even = even_lines("one two three four", 10.0, 70.0, 3);
        assert_eq!(even, ["one two", "three four"]);
        for line in of("mean_concave_points of_the.cells", 41.0, 9) {
            assert!(width(&line, 10.0) <= 41.0, "{line}");
        }
    }
}
