import { Readable } from 'node:stream';
import { expect, jest, test } from '@jest/globals';
import { FileStorage, FileUnavailable } from '../../kit/index.js';
import { StoragePlace } from './storage-place.js';

class SilentStorage extends FileStorage {
  readonly location = 'silent:';
  respond: (content: Readable) => void = () => undefined;

  put(): Promise<void> {
    return Promise.resolve();
  }

  get(): Promise<Readable> {
    return new Promise((resolve) => (this.respond = resolve));
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }
}

test('a storage that does not respond is unavailable after ten seconds, and its late response is closed', async () => {
  jest.useFakeTimers();
  try {
    const storage = new SilentStorage();
    const place = new StoragePlace(() => Promise.resolve(storage));
    const opened = expect(place.open({ location: 'silent:', key: 'a', sha256: '', size: 1 })).rejects.toBeInstanceOf(FileUnavailable);
    await jest.advanceTimersByTimeAsync(10_000);
    await opened;
    const content = new Readable({ read: () => undefined });
    storage.respond(content);
    await jest.advanceTimersByTimeAsync(0);
    expect(content.destroyed).toBe(true);
  } finally {
    jest.useRealTimers();
  }
});
