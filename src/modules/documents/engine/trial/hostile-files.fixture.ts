import { deflateSync } from 'node:zlib';

/** A file of objects by their numbers; 1 is the catalog. */
function fileOf(objects: Readonly<Record<number, string | Buffer>>, trailer = ''): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const places: Record<string, number> = {};
  let length = parts[0].length;
  for (const [number, content] of Object.entries(objects)) {
    places[number] = length;
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(content), Buffer.from('\nendobj\n')]);
    parts.push(object);
    length += object.length;
  }
  const size = Math.max(...Object.keys(objects).map(Number)) + 1;
  const rows = Array.from({ length: size }, (_, number) =>
    places[number] === undefined ? '0000000000 65535 f \n' : `${String(places[number]).padStart(10, '0')} 00000 n \n`,
  );
  const end = `xref\n0 ${size}\n${rows.join('')}trailer << /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

function stream(entries: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`<< ${entries} /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')]);
}

const deflated = (entries: string, data: Buffer) => stream(`${entries} /Filter /FlateDecode`, deflateSync(data));
/** An image in a format of its own, of 10 x 10 pixels as the file says. */
const coded = (entries: string, data: Buffer) =>
  fileOf({
    ...pageWith('/Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >>'),
    4: stream('', Buffer.from('q 500 0 0 500 40 40 cm /I Do Q')),
    5: stream(`/Type /XObject /Subtype /Image /Width 10 /Height 10 ${entries}`, data),
  });
const words = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')));
const image = (entries: string, data: Buffer) =>
  fileOf({
    ...pageWith('/Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >>'),
    4: stream('', Buffer.from('q 500 0 0 500 40 40 cm /I Do Q')),
    5: deflated(`/Type /XObject /Subtype /Image /BitsPerComponent 8 /ColorSpace /DeviceRGB ${entries}`, data),
  });

function pageWith(entries: string, box = '0 0 595 842'): Record<number, string> {
  return {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] ${entries} >>`,
  };
}

const LARGE_JPX = Buffer.concat([
  Buffer.from('ff4fff51002f0000', 'hex'),
  words(60_000, 60_000, 0, 0, 60_000, 60_000, 0, 0),
  Buffer.from('0003', 'hex'),
]);

/** Files that are made to take as much memory and time as possible. */
export const HOSTILE: Readonly<Record<string, () => Buffer>> = {
  'a page of a million kilometres': () => fileOf(pageWith('', '0 0 1e12 1e12')),
  'contents of 64 MiB, deflated': () => fileOf({ ...pageWith('/Contents 4 0 R'), 4: deflated('', Buffer.alloc(64 * 2 ** 20, ' ')) }),
  'a list of objects of 64 MiB, deflated': () =>
    fileOf({ ...pageWith(''), 4: deflated('/Type /ObjStm /N 1 /First 4', Buffer.alloc(64 * 2 ** 20, '9 0 ')) }),
  'an image that claims four billion pixels': () => image('/Width 65000 /Height 65000', Buffer.alloc(2 ** 20)),
  'an image that claims more pixels than there are numbers': () => image('/Width 2000000000 /Height 2000000000', Buffer.alloc(99)),
  'an image in black and white of 900 million pixels': () =>
    image('/Width 30000 /Height 30000 /ImageMask true /BitsPerComponent 1', Buffer.alloc(2 ** 20)),
  'JPEG 2000 that claims more pixels than its dictionary': () => coded('/ColorSpace /DeviceRGB /Filter /JPXDecode', LARGE_JPX),
  'JPEG 2000 behind other filters': () =>
    coded(
      '/ColorSpace /DeviceRGB /Filter [/ASCIIHexDecode /FlateDecode /JPXDecode] /DecodeParms [null null null]',
      Buffer.from(`${deflateSync(LARGE_JPX).toString('hex')}>`),
    ),
  'JBIG2 with a region that is larger than its page': () =>
    coded(
      '/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode',
      Buffer.concat([
        words(0),
        Buffer.from('300001', 'hex'),
        words(19, 10, 10, 0, 0),
        Buffer.from('000000', 'hex'),
        words(1),
        Buffer.from('260001', 'hex'),
        words(18, 60_000, 60_000, 0, 0),
        Buffer.alloc(2),
      ]),
    ),
  'nested arrays': () => fileOf({ ...pageWith(''), 4: '['.repeat(100_000) + ']'.repeat(100_000) }),
  'nested dictionaries': () => fileOf({ ...pageWith(''), 4: `${'<< /A '.repeat(50_000)}1${'>>'.repeat(50_000)}` }),
  'a table of objects that is its own predecessor': () => {
    const file = fileOf(pageWith(''), '/Prev 0000000009');
    const table = file.indexOf('xref');
    return Buffer.from(file.toString('latin1').replace('/Prev 0000000009', `/Prev ${String(table).padStart(10, '0')}`), 'latin1');
  },
  'contents whose length is that of themselves': () =>
    fileOf({ ...pageWith('/Contents 4 0 R'), 4: '<< /Length 4 0 R >>\nstream\n0 0 90 90 re f\nendstream' }),
  'pages that contain themselves': () => fileOf({ ...pageWith(''), 2: '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 /Parent 2 0 R >>' }),
  'a form that draws itself': () =>
    fileOf({
      ...pageWith('/Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >>'),
      4: stream('', Buffer.from('/X Do')),
      5: stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>', Buffer.from('/X Do /X Do')),
    }),
};
