import { dirname } from 'node:path/posix';
import { getMetadataArgsStorage } from 'typeorm';

// What a module's folder defines and its manifest must list.

/** An event or entity, and the address of its file. */
interface Definition {
  readonly kind: 'event' | 'entity';
  readonly name: string;
  readonly target: object;
  readonly file: string;
}

const NOT_OF_MODULES = /\/src\/kit\/|\/node_modules\//;
const MODULE_FILE = /\.module\.[jt]s$/;

const definitions: Definition[] = [];

export function noteDefinition(kind: Definition['kind'], name: string, target: object): void {
  const file = callingFile();
  if (file !== null) definitions.push({ kind, name, target, file });
}

/** The file that calls the kit, and its folder, if it is the manifest of a module. */
export function manifestFile(): { file: string | null; folder: string | null } {
  const file = callingFile();
  return file !== null && MODULE_FILE.test(file) ? { file, folder: `${dirname(file)}/` } : { file: null, folder: null };
}

/** What files in the folder define that is not among the targets: its kind, name and file. */
export function undeclaredIn(folder: string, targets: ReadonlySet<object>): string[] {
  return definitions
    .filter(({ file, target }) => file.startsWith(folder) && !file.includes('.spec.') && !targets.has(target))
    .map(({ kind, name, file }) => `the ${kind} ${name} of ${file.slice(folder.length)}`);
}

const declaredEvents = new WeakSet<object>();

export function declareEvents(events: Readonly<Record<string, object>> = {}): void {
  for (const event of Object.values(events)) declaredEvents.add(event);
}

/** Whether any manifest lists the event: nobody could receive it otherwise. */
export function isDeclaredEvent(event: object): boolean {
  return declaredEvents.has(event);
}

/**
 * The first caller outside the kit and packages. In the bundle of a build all files are one; `scripts/bundle.mjs` lets each original file
 * say its name before it is evaluated.
 */
function callingFile(): string | null {
  const { evaluatedFile } = globalThis as { evaluatedFile?: string };
  if (evaluatedFile !== undefined) return evaluatedFile;
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 20;
    Error.prepareStackTrace = (_, sites) => sites;
    const sites = new Error().stack as unknown as NodeJS.CallSite[];
    const files = sites.flatMap((site) => site.getFileName() ?? []);
    return files.find((file) => file.startsWith('file:') && !NOT_OF_MODULES.test(file)) ?? null;
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

// TypeORM notes no files
const { tables } = getMetadataArgsStorage();
tables.push = (...added) => {
  for (const { target } of added) if (typeof target === 'function') noteDefinition('entity', target.name, target);
  return Array.prototype.push.apply(tables, added);
};
