import { hash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The OpenAPI documents, serialized as JSON. */
export interface ApiDocuments {
  /** `/openapi.json`: the routes for API keys. */
  keyed: Buffer;
  /** `/openapi.org.json`: the routes for signed-in members. */
  product: Buffer;
  /** `/openapi.public.json`: the routes for anyone. */
  public: Buffer;
}

/** In the order in which they are stored. */
const NAMES = ['keyed', 'product', 'public'] as const satisfies (keyof ApiDocuments)[];

const MAX_FILES = 3;
const NEWLINE = Buffer.from('\n');

/**
 * Documents that were built at an earlier start. They depend only on the code and some settings, so a hash of both is the
 * file name; a start with other code or settings uses another file.
 */
export class DocumentCache {
  /** `code` identifies the running code, see `hashOfFolder`. */
  constructor(
    private readonly folder: string,
    private readonly code: string,
  ) {}

  /** Null if there is no file or it is damaged. */
  read(settings: object): ApiDocuments | null {
    try {
      const [checksum, ...contents] = linesOf(readFileSync(this.fileOf(settings)));
      if (checksum.toString() !== checksumOf(contents)) return null;
      return Object.fromEntries(NAMES.map((name, index) => [name, contents[index]])) as unknown as ApiDocuments;
    } catch {
      return null;
    }
  }

  /** Does nothing if the folder is not writable, as in a read-only container. */
  write(settings: object, documents: ApiDocuments): void {
    const contents = NAMES.map((name) => documents[name]);
    const file = this.fileOf(settings);
    const draft = `${file}.${randomBytes(4).toString('hex')}`;
    try {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(draft, Buffer.concat([Buffer.from(checksumOf(contents)), ...contents.flatMap((content) => [NEWLINE, content])]));
      renameSync(draft, file);
      this.prune();
    } catch {
      if (existsSync(draft)) rmSync(draft);
    }
  }

  private fileOf(settings: object): string {
    return join(this.folder, `${hash('sha256', JSON.stringify([this.code, settings]))}.json`);
  }

  private prune(): void {
    const files = readdirSync(this.folder).map((name) => join(this.folder, name));
    const newestFirst = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => b.at - a.at);
    for (const { file } of newestFirst.slice(MAX_FILES)) rmSync(file, { force: true });
  }
}

/** A hash of the names and contents of a folder's files. */
export function hashOfFolder(folder: string): string {
  const files = readdirSync(folder).sort();
  return hash('sha256', JSON.stringify(files.map((name) => [name, hash('sha256', readFileSync(join(folder, name)))])));
}

/** JSON has no newlines outside of indentation, and the documents have no indentation. */
function linesOf(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from <= content.length;) {
    const end = content.indexOf(NEWLINE, from);
    lines.push(content.subarray(from, end === -1 ? undefined : end));
    from = end === -1 ? content.length + 1 : end + 1;
  }
  return lines;
}

function checksumOf(contents: readonly Buffer[]): string {
  return hash('sha256', JSON.stringify(contents.map((content) => hash('sha256', content))));
}
