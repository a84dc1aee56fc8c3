import { ApiDocument, type Schema } from './api-document.js';
import type { Received } from './receiver.js';

type Webhooks = Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>;

/** The reasons why deliveries do not match the `webhooks` section of the served OpenAPI document. */
export async function eventFaults(appUrl: string, received: readonly Received[]): Promise<string[]> {
  const document = await ApiDocument.at(`${appUrl}/openapi.json`);
  const webhooks = document.source.webhooks as Webhooks;
  const faults = received.flatMap(({ body }) => {
    const event = JSON.parse(body) as { type: string };
    const declared = webhooks[event.type];
    if (!declared) return [`${event.type} is not declared`];
    return document.faults(declared.post.requestBody.content['application/json'].schema, event).map((fault) => `${event.type}: ${fault}`);
  });
  return [...new Set(faults)];
}

/** The reasons why examples of all events, by type, do not match the section. */
export async function exampleFaults(appUrl: string, examples: ReadonlyMap<string, unknown>): Promise<string[]> {
  const document = await ApiDocument.at(`${appUrl}/openapi.json`);
  return Object.entries(document.source.webhooks as Webhooks).flatMap(([type, { post }]) => {
    const { schema } = post.requestBody.content['application/json'];
    return document.faults(schema, examples.get(type)).map((fault) => `${type}: ${fault}`);
  });
}
