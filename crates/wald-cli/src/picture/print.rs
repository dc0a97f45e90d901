//! A picture as PDF and PNG, from its SVG: the same bytes on every machine, because the letters are those
//! of a font in the program.

use std::sync::Arc;

use krilla::Document;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use wald_html::chart::Sheet;

use crate::failure::Failure;

const FONTS: [&[u8]; 2] = [
    include_bytes!("../../assets/fonts/Arimo-Regular.ttf"),
    include_bytes!("../../assets/fonts/Arimo-Bold.ttf"),
];
const FAMILY: &str = "Arimo";

const MILLIMETRES_PER_INCH: f64 = 25.4;
const POINTS_PER_INCH: f64 = 72.0;

/// Dots of a PNG, at most: four bytes are held of each.
const MOST_DOTS: f64 = 2e8;

/// A picture that is ready to be drawn.
pub(super) struct Printable<'a> {
    sheet: &'a Sheet,
    tree: Tree,
}

impl<'a> Printable<'a> {
    pub(super) fn new(sheet: &'a Sheet) -> Result<Self, Failure> {
        let mut options = Options { font_family: FAMILY.to_owned(), ..Options::default() };
        let fonts = options.fontdb_mut();
        for font in FONTS {
            fonts.load_font_source(resvg::usvg::fontdb::Source::Binary(Arc::new(font)));
        }
        fonts.set_sans_serif_family(FAMILY);
        let tree = Tree::from_str(&sheet.svg, &options)
            .map_err(|error| Failure::internal(&format!("a picture is no SVG: {error}")))?;
        Ok(Self { sheet, tree })
    }

    /// Letters of the picture that the font does not have, each once; boxes are drawn in their place.
    pub(super) fn unknown_letters(&self) -> Vec<char> {
        // The bold letters are those of the regular font.
        let Ok(face) = ttf_parser::Face::parse(FONTS[0], 0) else { return Vec::new() };
        let is_unknown =
            |letter: &char| !letter.is_whitespace() && face.glyph_index(*letter).is_none();
        let mut letters: Vec<char> = self.sheet.svg.chars().filter(is_unknown).collect();
        letters.sort_unstable();
        letters.dedup();
        letters
    }

    /// One page of the size of the picture; its letters can be searched and selected.
    pub(super) fn pdf(&self) -> Result<Vec<u8>, Failure> {
        let points = self
            .sheet
            .millimetres
            .map(|size| (size / MILLIMETRES_PER_INCH * POINTS_PER_INCH) as f32);
        let failure = |what: String| Failure::internal(&format!("a picture is no PDF: {what}"));
        let size = Size::from_wh(points[0], points[1]);
        let size = size.ok_or_else(|| failure("it has no size".to_owned()))?;
        let settings = PageSettings::from_wh(points[0], points[1]);
        let settings = settings.ok_or_else(|| failure("it has no size".to_owned()))?;
        let mut document = Document::new();
        document.set_metadata(Metadata::new().title(self.sheet.description.clone()));
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        surface.draw_svg(&self.tree, size, SvgSettings::default());
        surface.finish();
        page.finish();
        document.finish().map_err(|error| failure(format!("{error:?}")))
    }

    /// The picture in so many dots per inch, which the file states.
    pub(super) fn png(&self, dpi: usize) -> Result<Vec<u8>, Failure> {
        let dots = self
            .sheet
            .millimetres
            .map(|size| (size / MILLIMETRES_PER_INCH * dpi as f64).round().max(1.0));
        if dots[0] * dots[1] > MOST_DOTS {
            let what = format!("the PNG would have {:.0} million dots", dots[0] * dots[1] / 1e6);
            let help = "give a smaller `--dpi`, or fewer variables by `--picture-variables`";
            return Err(Failure::usage(what, help));
        }
        let [width, height] = dots.map(|dots| dots as u32);
        let failure = |what: &str| Failure::internal(&format!("a picture is no PNG: {what}"));
        let mut image = Pixmap::new(width, height).ok_or_else(|| failure("it has no size"))?;
        image.fill(Color::WHITE);
        let scale =
            (dots[0] as f32 / self.tree.size().width(), dots[1] as f32 / self.tree.size().height());
        let transform = Transform::from_scale(scale.0, scale.1);
        resvg::render(&self.tree, transform, &mut image.as_mut());
        // All of it is white below: there is no transparency left.
        let colours: Vec<u8> =
            image.pixels().iter().flat_map(|dot| [dot.red(), dot.green(), dot.blue()]).collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        let per_metre = (dpi as f64 / MILLIMETRES_PER_INCH * 1000.0).round() as u32;
        encoder.set_pixel_dims(Some(png::PixelDimensions {
            xppu: per_metre,
            yppu: per_metre,
            unit: png::Unit::Meter,
        }));
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&colours)?;
            writer.finish()
        });
        written.map_err(|error| failure(&error.to_string()))?;
        Ok(file)
    }
}
