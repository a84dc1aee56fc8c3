import { createHash } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { FileMissing, FileUnavailable, type FileStorage } from '../../kit/index.js';

const RETRY_AFTER_S = 30;
/** How long a storage may take until it begins to respond: requests, jobs and mails that wait for it keep others from their places. */
const RESPONSE_MS = 10_000;

/** Where an object is outside of PostgreSQL. */
export interface Place {
  location: string;
  key: string;
}

/** What `objects` says about a content. */
export interface Digest {
  sha256: string;
  size: number;
}

/** The storage that is configured; it is resolved when it is first needed, because modules are created after the platform. */
export class StoragePlace {
  private readonly log = new Logger('Files');

  constructor(private readonly configured: () => Promise<FileStorage | null>) {}

  storage(): Promise<FileStorage | null> {
    return this.configured();
  }

  /** The storage at this location, or else 503. */
  async at(location: string): Promise<FileStorage> {
    const storage = await this.configured();
    if (storage?.location === location) return storage;
    this.log.error(`Files are in ${location}, but ${storage ? `the storage is ${storage.location}` : 'STORAGE_URL is not set'}.`);
    throw unavailable();
  }

  /** The content, which fails at its end if it is not the one that was stored. */
  async open({ location, key, ...digest }: Place & Digest): Promise<Readable> {
    const storage = await this.at(location);
    try {
      return verified(await inTime(storage.get(key)), digest, `${location}/${key}`);
    } catch (error) {
      const missing = error instanceof FileMissing ? ' is missing' : '';
      this.log.error(`${location}/${key}${missing}: ${(error as Error).message}`);
      throw unavailable();
    }
  }

  async bytes(place: Place & Digest): Promise<Buffer> {
    const stream = await this.open(place);
    try {
      return await bytesOf(stream);
    } catch (error) {
      this.log.error(`${place.location}/${place.key}: ${(error as Error).message}`);
      throw unavailable();
    }
  }
}

async function inTime(opening: Promise<Readable>): Promise<Readable> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new Error(`It did not respond within ${RESPONSE_MS / 1_000} s.`));
    }, RESPONSE_MS);
  });
  opening.then(
    (content) => isLate && content.destroy(),
    () => undefined,
  );
  return Promise.race([opening, late]).finally(() => clearTimeout(timer));
}

export async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Uint8Array>) pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
  return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
}

/** Ends with an error instead of an end if the hash differs. */
export function verified(content: Readable, { sha256 }: Digest, name: string): Readable {
  const hash = createHash('sha256');
  const checked = new Transform({
    transform(piece: Buffer, _, done) {
      hash.update(piece);
      done(null, piece);
    },
    flush: (done) => done(hash.digest('hex') === sha256 ? null : new Error(`${name} is not the content that was stored`)),
  });
  content.once('error', (error) => checked.destroy(error));
  checked.once('close', () => content.destroy());
  return content.pipe(checked);
}

function unavailable(): Error {
  return new FileUnavailable('The storage of the file does not respond. Try again later.', RETRY_AFTER_S);
}
