import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MetadataFetch } from '../../src/platform/oauth/clients/metadata-fetch.js';

/** For `TestApp.inside`: metadata documents that clients publish, by address. No other address is replaced. */
export function publish(app: NestFastifyApplication, documents: Record<string, unknown>): void {
  const fetching = app.get(MetadataFetch) as unknown as { read(address: string, options: unknown): Promise<unknown> };
  const read = fetching.read.bind(fetching);
  fetching.read = (address, options) =>
    Object.hasOwn(documents, address)
      ? Promise.resolve({ status: 200, kept: [], text: JSON.stringify(documents[address]) })
      : read(address, options);
}
