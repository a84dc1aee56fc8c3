import { crc32, deflateSync } from 'node:zlib';
import type { Pixels } from './pdfium.js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Text is hardly smaller at a higher level, which takes twice the time. */
const LEVEL = 3;

/**
 * A page without color as PNG with a sample per pixel; null if it has colors. Most pages of text have none: this is a third of the work,
 * and does without the library for other pictures, which takes 60 ms of CPU to load.
 */
export function greyPng({ data, width, height }: Pixels): Buffer | null {
  const row = 1 + width;
  const rows = new Uint8Array(row * height);
  for (let y = 0, from = 0; y < height; y++)
    // each row begins with its filter: none
    for (let to = y * row + 1, end = to + width; to < end; to++, from += 3) {
      const value = data[from];
      if (value !== data[from + 1] || value !== data[from + 2]) return null;
      rows[to] = value;
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // bits per sample; color, compression, filters and interlacing stay 0
  header[8] = 8;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: LEVEL })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
