import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OrganizationExport, type ExportCursor } from '../platform/organization-data/export/organization-export.js';
import { ConfigError, Store } from '../kit/index.js';
import { systemContext } from '../platform/persistence/transactions/call-context.js';
import type { Given } from './command-line.js';
import { findOrganization } from './lookups.js';

/** Beside the unfinished archive: how much of it is complete, and where it continues. */
interface State {
  organization: string;
  bytes: number;
  cursor: ExportCursor;
}

/** Finds what is wrong with the path before the application starts. */
export function requireWritable(out: string): void {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory()) throw new ConfigError(`--out ${out} is a folder: name a file in it.`);
  try {
    // the slash refuses a file
    accessSync(`${dirname(out)}/`, constants.W_OK);
  } catch (error) {
    refuse(out, error);
  }
}

function refuse(out: string, error: unknown): never {
  throw new ConfigError(`--out ${out} cannot be written: ${(error as Error).message}`);
}

/** Writes the archive of an organization. A run that was interrupted is continued by the next one with the same file. */
export async function exportOrganization(services: INestApplicationContext, given: Given): Promise<void> {
  const { id, name } = await findOrganization(services.get(DataSource), given.required('organization'));
  const out = given.required('out');
  const [unfinished, stateFile] = [`${out}.unfinished`, `${out}.state`];
  const continued = await interruptedExport(id, unfinished, stateFile);
  if (continued) console.log(`Continued after ${continued.bytes} bytes, in the table ${continued.cursor.table}.`);
  // only whoever runs the command may read it
  const file = await open(unfinished, continued ? 'r+' : 'w', 0o600).catch((error) => refuse(out, error));
  try {
    let bytes = continued?.bytes ?? 0;
    await file.truncate(bytes);
    for (let cursor: ExportCursor | null = continued?.cursor ?? null; ;) {
      const { content, next } = await services.get(OrganizationExport).part(id, cursor);
      await file.write(content, 0, content.length, bytes);
      await file.sync();
      bytes += content.length;
      if (next === null) break;
      cursor = next;
      // a state is never half-written
      await writeFile(`${stateFile}.part`, JSON.stringify({ organization: id, bytes, cursor } satisfies State), { mode: 0o600 });
      await rename(`${stateFile}.part`, stateFile);
    }
    await services
      .get(Store)
      .write(systemContext(id, 'live'), async (tx) =>
        tx.advanced.audit({ action: 'exported', objectType: 'organization', objectId: id, after: { bytes } }),
      );
    await rename(unfinished, out);
    await rm(stateFile, { force: true });
    console.log(`${name} was exported to ${out}, ${bytes} bytes.`);
  } finally {
    await file.close();
  }
}

/** Null if the export of this organization begins: also if its file lost what the state counts, as a copy or a failed disk may. */
async function interruptedExport(id: string, unfinished: string, stateFile: string): Promise<State | null> {
  if (!existsSync(stateFile)) return null;
  const state = JSON.parse(await readFile(stateFile, 'utf8')) as State;
  if (state.organization !== id) return null;
  const size = existsSync(unfinished) ? (await stat(unfinished)).size : 0;
  if (size >= state.bytes) return state;
  console.log(`${unfinished} has ${size} bytes in place of ${state.bytes}, so the export begins again.`);
  return null;
}
