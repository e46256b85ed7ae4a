"""PNG and PDF files of --plot-to: their pixels and texts. Arguments: the command mosim, and the folder of the models."""

import html
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

MOSIM, MODELS = sys.argv[1:3]
BALL = MODELS + "/DiscreteBehavior/BouncingBall/StableBouncingBall.mo"
BLUE = (0x1F, 0x6F, 0xB4)


def png_pixels(data):
    """Rows of (r, g, b) of a PNG file with 8 bits per channel."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and colour in (2, 6) and interlace == 0
            channels = 3 if colour == 2 else 4
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, stride, rows = zlib.decompress(packed), width * channels, []
    above = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        method, line = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for x in range(stride):
            a = line[x - channels] if x >= channels else 0
            b, c = above[x], above[x - channels] if x >= channels else 0
            if method == 1:
                line[x] = (line[x] + a) & 255
            elif method == 2:
                line[x] = (line[x] + b) & 255
            elif method == 3:
                line[x] = (line[x] + (a + b) // 2) & 255
            elif method == 4:
                p = a + b - c
                nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                line[x] = (line[x] + nearest) & 255
        rows.append([tuple(line[x:x + 3]) for x in range(0, stride, channels)])
        above = line
    return rows


def ppm_pixels(data):
    """Rows of (r, g, b) of a binary PPM file."""
    magic, size, most, rest = data.split(b"\n", 3)
    assert magic == b"P6" and most == b"255"
    width, height = map(int, size.split())
    return [[tuple(rest[3 * (y * width + x):3 * (y * width + x) + 3]) for x in range(width)] for y in range(height)]


def near(a, b):
    return sum(abs(x - y) for x, y in zip(a, b)) < 60


def columns_of(rows, colour):
    """For each column, the rows in which the colour stands."""
    return [[y for y in range(len(rows)) if near(rows[y][x], colour)] for x in range(len(rows[0]))]


class Pictures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def draw(self, name, *arguments):
        path = os.path.join(self.folder.name, name)
        run = subprocess.run([MOSIM, BALL, "-o", os.path.join(self.folder.name, "r.csv"), "--plot-to", path, *arguments],
                       check=True, timeout=60,
                             capture_output=True, text=True)
        self.events = re.search(r"events\s+(\d+)", run.stdout).group(1)
        return path

    def check_curve(self, rows, plot_left, plot_right):
        """The curve of h falls from its highest point at the start, bounces to 0.64 of that, and lies still after half of the time."""
        columns = columns_of(rows, BLUE)
        width = plot_right - plot_left
        inside = columns[round(plot_left) + 4:round(plot_right) - 2]
        self.assertGreater(sum(1 for c in inside if c), 0.97 * len(inside))
        # The legend's sample stands above the panel: the highest of the curve is at the start.
        legend = min(min(c) for c in columns if c)
        in_panel = [[y for y in c if y > legend + 8] for c in inside]
        top, floor = min(min(c) for c in in_panel if c), max(max(c) for c in in_panel[-20:])
        self.assertGreater(floor - top, 100)
        impact = (2 / 9.81) ** 0.5
        rebound = in_panel[round(1.8 * impact / 10 * width) - 4]
        self.assertAlmostEqual((floor - min(rebound)) / (floor - top), 0.64, delta=0.03)
        for column in in_panel[len(in_panel) // 2:]:
            self.assertLessEqual(floor - min(column), 8)

    def test_png(self):
        with open(self.draw("p.png", "--plot", "h"), "rb") as file:
            rows = png_pixels(file.read())
        height, width = len(rows), len(rows[0])
        self.assertEqual(width, 1920)
        self.assertGreater(height, 600)
        white = sum(pixel == (255, 255, 255) for row in rows for pixel in row)
        self.assertGreater(white, 0.7 * width * height)
        self.assertLess(white, 0.99 * width * height)
        self.check_curve(rows, 2 * 92, width - 2 * 24)

    def test_pdf(self):
        path = self.draw("p.pdf", "--plot", "h")
        text = subprocess.run(["pdftotext", "-layout", path, "-"], check=True, capture_output=True, text=True, timeout=60).stdout
        for part in ("DiscreteBehavior.BouncingBall.StableBouncingBall", "BouncingBall that comes to rest", "h [m]",
                     "Above the floor", "time [s]", self.events + " state events", "10"):
            self.assertIn(part, text)
        image = subprocess.run(["pdftoppm", "-r", "192", path], check=True, capture_output=True, timeout=60).stdout
        rows = ppm_pixels(image)
        self.assertAlmostEqual(len(rows[0]), 1920, delta=4)
        self.check_curve(rows, 2 * 92, len(rows[0]) - 2 * 24)

    def texts(self, name, *arguments):
        """The texts of an SVG, and where they begin."""
        with open(self.draw(name, *arguments), encoding="utf-8") as file:
            svg = file.read()
        found = {}
        for x, y, rest in re.findall(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)[^"]*"[^>]*>\s*<text>(.*?)</text>', svg, re.S):
            text = html.unescape(re.sub(r"<[^>]*>", "", rest)).strip()
            found.setdefault(text, []).append((float(x), float(y)))
        return svg, found

    def test_numbers_of_events(self):
        svg, found = self.texts("n.svg", "--plot", "h", "--stop", "2")
        left, right = 92, 960 - 24
        # The impacts: 1 m, and 0.8 of the speed each time.
        first = (2 / 9.81) ** 0.5
        for number, t in ((1, first), (2, first * 2.6), (3, first * 3.88)):
            places = [x for x, y in found[str(number)] if x > left and y < 120]   # axes may have the same numbers
            self.assertEqual(len(places), 1, number)
            self.assertAlmostEqual(places[0], left + t / 2 * (right - left), delta=1)
        # Where they crowd, none stands in the place of another.
        svg, found = self.texts("n.svg", "--plot", "h", "--stop", "6")
        numbers = sorted((x, int(text)) for text, places in found.items() if text.isdigit() for x, y in places if 80 < y < 110)
        self.assertEqual([n for _, n in numbers][:9], list(range(1, 10)))
        self.assertLess(len(numbers), int(self.events))
        for (a, first), (b, second) in zip(numbers, numbers[1:]):
            self.assertGreaterEqual(b - a, 10)
            self.assertLess(first, second)

    def test_title_size_and_font(self):
        svg, found = self.texts("s.svg", "--plot", "h", "--plot-title", "It's <b>so</b> & so", "--plot-size", "1280x720", "--plot-font", "DejaVu Serif,26")
        self.assertIn("It's <b>so</b> & so", found)
        self.assertNotIn("DiscreteBehavior.BouncingBall.StableBouncingBall", found)
        self.assertRegex(svg, r'width="1280" height="720"')
        self.assertIn('font-family="DejaVu Serif"', svg)
        self.assertIn('font-size="26.00"', svg)
        with open(self.draw("s.png", "--plot", "h", "--plot-size", "1280x720"), "rb") as file:
            rows = png_pixels(file.read())
        self.assertEqual((len(rows[0]), len(rows)), (1280, 720))
        path = self.draw("s.pdf", "--plot", "h", "--plot-size", "960x480", "--plot-font", "20")
        self.assertIn("720 x 360 pts", subprocess.run(["pdfinfo", path], check=True, capture_output=True, text=True).stdout)

    def test_what_cannot_be_drawn(self):
        for arguments, said in ((("--plot-to", "p.svg", "--plot-size", "200x120"), "a picture of 200x120 has no room for "),
                                (("--plot-to", "p.svg", "--plot-size", "1280"), "--plot-size: is a width and a height between 100 and 10000 pixels, as in 1280x720, and not '1280'"),
                                (("--plot-to", "p.svg", "--plot-font", "Sans,x"), "--plot-font: is written as a name, a size in pixels, or both: 'DejaVu Serif,20'"),
                                (("--plot-to", "p.svg", "--plot-font", "a'b"), "--plot-font: has a name of letters, digits, blanks and hyphens"),
                                (("--plot-to", "p.html", "--plot-title", "T"), "--plot-title: is about pictures (.svg, .png and .pdf), and --plot-to writes a page"),
                                (("--plot-title", "T"), "--plot-title: is about the picture of --plot-to: add --plot-to FILE.png")):
            run = subprocess.run([MOSIM, BALL, "-o", "none", *arguments], cwd=self.folder.name, timeout=60, capture_output=True, text=True)
            self.assertEqual(run.returncode, 1, arguments)
            self.assertIn(said, run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
