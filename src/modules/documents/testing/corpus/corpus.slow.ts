import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { ownApp } from '../../../../../test/harness/hosted-app.js';
import { Mailbox } from '../../../../../test/harness/mailbox.js';
import { SigningFixture } from '../signing-fixture.js';
import { BASE_FILES, ODD_FILES } from './base-files.js';
import { faultsOf } from './check.js';
import { Sender } from './execution.js';
import { makeFiles } from './made-files.js';
import { variantsOf, type CorpusFile } from './variants.js';

const LEAST_FILES = 200;
/** Why a variant of a file is refused; no other may be. */
const REFUSED: readonly [file: RegExp, reason: RegExp][] = [
  [/^(sealed|certified), .*encrypted/, /is encrypted and digitally signed/],
  [/^(sealed|certified), with a wrong startxref$/, /is signed, so it cannot be repaired/],
  [/^Ghostscript.*, uncompressed$/, /larger than this route accepts/],
];

// files that are there already are not made again
const dir = process.env.CORPUS_DIR ?? join(tmpdir(), `corpus-${process.pid}`);
const only = new RegExp(process.env.CORPUS_ONLY ?? '');
mkdirSync(dir, { recursive: true });
const files = await corpus();
const mailbox = await Mailbox.start();
const app = await ownApp({ env: mailbox.env });
const sender = await Sender.of(await SigningFixture.open(app, mailbox));

afterAll(async () => {
  await mailbox.stop();
  if (process.env.CORPUS_DIR === undefined) rmSync(dir, { recursive: true });
});

/** Every variant of the files made here, a third of those of each file that another program makes. */
async function corpus(): Promise<CorpusFile[]> {
  const written = async (list: typeof BASE_FILES, prefix: string) => {
    const paths: Record<string, string> = {};
    for (const [index, [name, make]] of Object.entries(list).entries()) {
      paths[name] = join(dir, `${prefix}-${index}.pdf`);
      writeFileSync(paths[name], await make());
    }
    return paths;
  };
  const base = await written(BASE_FILES, 'base');
  const all: CorpusFile[] = Object.entries(await written(ODD_FILES, 'odd')).map(([name, path]) => ({ name, path }));
  for (const [name, path] of Object.entries(base)) all.push(...(await variantsOf(name, path)));
  const made = Object.entries(await makeFiles(join(dir, 'made'), base));
  for (const [index, [name, path]] of made.entries()) all.push(...(await variantsOf(name, path, [index, 3])));
  return all.filter(({ name }) => only.test(name));
}

test('the corpus has enough files', () => {
  expect(process.env.CORPUS_ONLY !== undefined || files.length >= LEAST_FILES).toBe(true);
});

test.each(files)('$name', async ({ name, path }) => {
  const sent = await sender.send(readFileSync(path));
  const [, reason = /^is not refused$/] = REFUSED.find(([file]) => file.test(name)) ?? [];
  if (typeof sent === 'string') expect(sent).toMatch(reason);
  else expect(await faultsOf(name, sent, dir)).toEqual([]);
});
