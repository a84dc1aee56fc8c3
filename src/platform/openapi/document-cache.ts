import { hash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackedDocument } from './packed-document.js';

/** The OpenAPI documents, serialized as JSON. */
export interface ApiDocuments {
  /** `/openapi.json`: the routes for API keys. */
  keyed: PackedDocument;
  /** `/openapi.org.json`: the routes for signed-in members. */
  product: PackedDocument;
  /** `/openapi.public.json`: the routes for anyone. */
  public: PackedDocument;
}

/** In the order in which they are stored. */
const NAMES = ['keyed', 'product', 'public'] as const satisfies (keyof ApiDocuments)[];

const MOST_FILES = 3;
const NEWLINE = Buffer.from('\n');

/** The first line of a file, before the documents. */
interface Header {
  checksum: string;
  /** Of each document in bytes. */
  lengths: number[];
}

/**
 * Documents that were built at an earlier start. They depend only on the code and some settings, so a hash of both is the
 * file name; a start with other code or settings uses another file.
 */
export class DocumentCache {
  /** `code` identifies the running code, see `hashOfFolder`. Of more files than `mostFiles`, the oldest are deleted. */
  constructor(
    private readonly folder: string,
    private readonly code: string,
    private readonly mostFiles = MOST_FILES,
  ) {}

  /** Null if there is no file or it is damaged. */
  read(settings: object): ApiDocuments | null {
    try {
      const stored = readFileSync(this.fileOf(settings));
      const start = stored.indexOf(NEWLINE) + NEWLINE.length;
      const { checksum, lengths } = JSON.parse(stored.toString('latin1', 0, start)) as Header;
      const contents = parts(stored.subarray(start), lengths);
      if (checksum !== checksumOf(contents)) return null;
      return Object.fromEntries(NAMES.map((name, index) => [name, PackedDocument.from(contents[index])])) as unknown as ApiDocuments;
    } catch {
      return null;
    }
  }

  /** Does nothing if the folder is not writable, as in a read-only container. */
  write(settings: object, documents: ApiDocuments): void {
    const contents = NAMES.map((name) => documents[name].packed);
    const header: Header = { checksum: checksumOf(contents), lengths: contents.map(({ length }) => length) };
    const file = this.fileOf(settings);
    const draft = `${file}.${randomBytes(4).toString('hex')}`;
    try {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(draft, Buffer.concat([Buffer.from(JSON.stringify(header)), NEWLINE, ...contents]));
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
    for (const { file } of newestFirst.slice(this.mostFiles)) rmSync(file, { force: true });
  }
}

/**
 * A hash of the names, sizes and times of a folder's files. The bundler puts a hash of the content into most names, and reading the 16 MB
 * takes a twentieth of a start.
 */
export function hashOfFolder(folder: string): string {
  const files = readdirSync(folder).sort();
  if (files.length === 0) throw new Error(`${folder} has no files.`);
  const facts = files.map((name) => {
    const { size, mtimeNs } = statSync(join(folder, name), { bigint: true });
    return [name, String(size), String(mtimeNs)];
  });
  return hash('sha256', JSON.stringify(facts));
}

function parts(content: Buffer, lengths: readonly number[]): Buffer[] {
  let end = 0;
  // copies, because a part would keep the whole file in memory
  return lengths.map((length) => Buffer.from(content.subarray(end, (end += length))));
}

function checksumOf(contents: readonly Buffer[]): string {
  return hash('sha256', JSON.stringify(contents.map((content) => hash('sha256', content))));
}
