import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseTar } from 'nanotar';

/** Unpacks the client that an application serves into a project folder, as npm would. Returns the package's folder and the archive. */
export async function unpackClient(url: string, project: string): Promise<{ folder: string; archive: Buffer }> {
  const archive = Buffer.from(await (await fetch(`${url}/client.tgz`)).arrayBuffer());
  const folder = join(project, 'node_modules', 'work-suite-client');
  for (const { name, data } of parseTar(gunzipSync(archive))) {
    const file = join(folder, name.replace(/^package\//, ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data!);
  }
  return { folder, archive };
}

/** The programs of the client's README file: one receives webhooks, the other blocks are one after the other. */
export function blocksOf(readme: string): { receiver: string; story: string } {
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code);
  const isReceiver = (code: string) => code.includes('createServer');
  return { receiver: blocks.filter(isReceiver).join('\n'), story: blocks.filter((code) => !isReceiver(code)).join('\n') };
}
