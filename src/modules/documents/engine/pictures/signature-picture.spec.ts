import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { drawingProblem } from '../certificate/certificate-drawing.js';
import { signaturePicture } from './signature-picture.js';

const INK = '<path d="M100 200 C 180 60, 260 320, 380 150" stroke="#123a8c" stroke-width="12" fill="none"/>';
const svg = (ground: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400">${ground}${INK}</svg>`);
const PAPER = '<rect width="600" height="400" fill="#e9e6df"/>';

const plain = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();

async function read(bytes: Buffer) {
  const { png } = await signaturePicture(bytes);
  expect(drawingProblem(Buffer.from(png))).toBeNull();
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  const alpha = (share: number) => Array.from({ length: data.length / 4 }, (_, index) => data[index * 4 + 3]).filter((one) => one >= share);
  return { ...info, opaque: alpha(200).length / (data.length / 4), clear: 1 - alpha(20).length / (data.length / 4), data };
}

describe('an uploaded signature', () => {
  it('loses the paper and the empty space around it, and keeps its color', async () => {
    const photo = await sharp(svg(PAPER)).jpeg({ quality: 80 }).withMetadata().toBuffer();
    const { width, height, opaque, clear, data } = await read(photo);
    expect([Math.round(width / 10), Math.round(height / 10)]).toEqual([29, 7]);
    expect(clear).toBeGreaterThan(0.7);
    expect(opaque).toBeGreaterThan(0.05);
    const at = Array.from({ length: data.length / 4 }, (_, index) => index * 4).find((index) => data[index + 3] === 255) as number;
    expect(data[at + 2]).toBeGreaterThan(data[at]);
  });

  it('is turned as the camera held it', async () => {
    const upright = await sharp(svg(PAPER)).rotate(90).jpeg().withMetadata({ orientation: 8 }).toBuffer();
    const { width, height } = await read(upright);
    expect(width).toBeGreaterThan(height);
  });

  it('keeps a transparent or dark ground as it is', async () => {
    const { clear } = await read(await sharp(svg('')).png({ palette: true }).toBuffer());
    expect(clear).toBeGreaterThan(0.7);
    expect((await read(await sharp(svg('<rect width="600" height="400" fill="#203040"/>')).png().toBuffer())).clear).toBe(0);
  });

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['no picture', () => Buffer.from('GIF89a')],
    ['another format', () => sharp(svg(PAPER)).webp().toBuffer()],
    ['SVG, which can name other files', () => svg(PAPER)],
    ['white paper', () => plain(50)],
    ['a picture that is cut off', async () => (await sharp(svg(PAPER)).png().toBuffer()).subarray(0, 900)],
    ['more pixels than a photo has', () => plain(9_000)],
  ])('cannot be %s', async (_, bytes) => {
    await expect(signaturePicture(await bytes())).rejects.toThrow();
  });
});
