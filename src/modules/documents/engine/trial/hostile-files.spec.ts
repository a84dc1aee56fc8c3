import { afterAll, expect, test } from '@jest/globals';
import { PagePictures } from '../pictures/page-pictures.service.js';
import { keyFile } from '../sealing/seal-key.fixture.js';
import { PdfTypesetter, TypesetterOptions } from '../typesetting/pdf-typesetter.js';
import { HOSTILE } from './hostile-files.fixture.js';
import { SEALABLE } from './odd-files.fixture.js';

// what takes long on an idle machine must not end by the limit on a busy one
const typesetter = new PdfTypesetter(Object.assign(new TypesetterOptions(), { timeoutMs: 60_000, readingTimeoutMs: 60_000 }));
const pictures = new PagePictures();
const key = keyFile();

afterAll(() => Promise.all([typesetter.onApplicationShutdown(), pictures.onApplicationShutdown()]));

const REASONS: Readonly<Record<string, RegExp>> = {
  'an image that claims four billion pixels': /has an image of 65000 x 65000 pixels/,
  'an image that claims more pixels than there are numbers': /has an image of 2000000000 x 2000000000 pixels/,
  'an image in black and white of 900 million pixels': /has an image of 30000 x 30000 pixels/,
  'JPEG 2000 that claims more pixels than its dictionary': /has an image of 60000 x 60000 pixels/,
  'JPEG 2000 behind other filters': /has an image of 60000 x 60000 pixels/,
  'JBIG2 with a region that is larger than its page': /has an image of 60000 x 60000 pixels/,
  'a page of a million kilometres': /damaged|area|cannot be drawn/,
  'contents of 64 MiB, deflated': /longer than 32 MiB/,
  'a list of objects of 64 MiB, deflated': /longer than 32 MiB/,
  'pages that contain themselves': /cannot be read|damaged/,
  'a form that draws itself': /cannot be drawn/,
};

test.each(Object.entries(HOSTILE))('%s neither ends the service nor stops it', async (name, make) => {
  const bytes = make();
  const tried = await typesetter.trial({ bytes, key });
  const problem = 'problem' in tried ? tried.problem : await pictures.problem(bytes);
  expect(problem ?? '').toMatch(REASONS[name] ?? /^$/);
});

test('the next file is accepted', async () => {
  const bytes = await SEALABLE.plain();
  expect(await typesetter.trial({ bytes, key })).toMatchObject({ kept: null });
  expect(await pictures.problem(bytes)).toBeNull();
});
