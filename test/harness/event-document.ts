import { ApiDocument, type Json, type Schema } from './api-document.js';
import type { Received } from './receiver.js';

/** The reasons why deliveries do not match the `webhooks` section of the served OpenAPI document. */
export async function eventFaults(appUrl: string, received: readonly Received[]): Promise<string[]> {
  const source = (await (await fetch(`${appUrl}/openapi.json`)).json()) as Json;
  const document = new ApiDocument(source);
  const webhooks = source.webhooks as Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
  const faults = received.flatMap(({ body }) => {
    const event = JSON.parse(body) as { type: string };
    const declared = webhooks[event.type];
    if (!declared) return [`${event.type} is not declared`];
    return document.faults(declared.post.requestBody.content['application/json'].schema, event).map((fault) => `${event.type}: ${fault}`);
  });
  return [...new Set(faults)];
}

/** The reasons why examples of the section are invalid. */
export async function exampleFaults(appUrl: string, examples?: ReadonlyMap<string, unknown>): Promise<string[]> {
  const source = (await (await fetch(`${appUrl}/openapi.json`)).json()) as Json;
  const document = new ApiDocument(source);
  const webhooks = source.webhooks as Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: Schema; example: unknown }> } } }
  >;
  return Object.entries(webhooks).flatMap(([type, { post }]) => {
    const { schema, example } = post.requestBody.content['application/json'];
    return document.faults(schema, examples ? examples.get(type) : example).map((fault) => `${type}: ${fault}`);
  });
}
