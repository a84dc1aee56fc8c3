import { getSchemaPath } from '@nestjs/swagger';
import { ActorDto, type EventDefinition } from '../../kit/index.js';
import { pascalCase } from '../../kit/internal.js';
import { exampleEvent } from '../events/example-payload.js';
import type { SharedParts } from './shared-parts.js';

type Json = Record<string, unknown>;

/** An event that webhooks send, and its module; null for an event of the platform. */
export interface DescribedEvent {
  definition: EventDefinition;
  module: string | null;
}

/** The tag of the platform's events. */
export const PLATFORM_TAG = 'developer';

/** What the `webhooks` section says about deliveries, as configured. */
export interface DescribedDelivery {
  timeoutMs: number;
  attempts: number;
}

/** The `webhooks` section: for each event, the request that a receiver's endpoint gets. */
export function webhooksOf(events: readonly DescribedEvent[], delivery: DescribedDelivery, parts: SharedParts): Json {
  return Object.fromEntries(events.map((event) => [event.definition.name, { post: operationOf(event, delivery, parts) }]));
}

function operationOf({ definition, module }: DescribedEvent, delivery: DescribedDelivery, parts: SharedParts): Json {
  const schema = parts.refer('schemas', `${pascalCase(definition.name)}Event`, () => eventSchema(definition, parts));
  return {
    operationId: `on_${definition.name.replaceAll('.', '_')}`,
    summary: definition.name,
    description: definition.description,
    tags: [module ?? PLATFORM_TAG],
    security: [],
    parameters: HEADERS.map((header) => parts.refer('parameters', pascalCase(header.name), () => header)),
    requestBody: {
      required: true,
      description: 'The same bytes on every attempt.',
      content: { 'application/json': { schema } },
    },
    responses: Object.fromEntries(
      Object.entries(responsesOf(delivery)).map(([status, [name, description]]) => [
        status,
        parts.refer('responses', name, () => ({ description })),
      ]),
    ),
  };
}

const HEADERS = [
  header(
    'Svc-Signature',
    "`t=<seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint's secret over `<seconds>.<raw body>`. Two `v1` while a " +
      'rolled secret is still valid; one must match.',
    't=1795253400,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  ),
  header(
    'Svc-Event-Id',
    'The event, the same on every attempt. The same event can be delivered twice: deduplicate by this id.',
    '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a63',
  ),
  header('Svc-Event-Type', 'Its type.', 'webhook_endpoint.tested'),
];

/** What holds for every event is said here once, not with each. */
function responsesOf({ timeoutMs, attempts }: DescribedDelivery): Record<string, readonly [name: string, description: string]> {
  const repeats = attempts === 1 ? 'is not repeated' : `is repeated, up to ${attempts} attempts in all`;
  const retried = ['EventRetried', 'Failed: retried later, after `Retry-After`.'] as const;
  return {
    '2XX': [
      'EventReceived',
      `Received. The response must be complete within ${timeoutMs / 1000} s of the start of the attempt. With a later response, or any ` +
        `other status, the attempt has failed and ${repeats}.`,
    ],
    '410': ['EndpointDisabled', 'Disables the endpoint.'],
    '429': retried,
    '503': retried,
  };
}

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

/** The members of this event in addition to the envelope. */
function eventSchema({ name, description, payload, context = {} }: EventDefinition, parts: SharedParts): Json {
  const data = {
    object: { allOf: [{ $ref: getSchemaPath(payload) }], description: 'The resource after the change, as GET returns it.' },
    context: object(
      'Further data of the event.',
      Object.fromEntries(Object.entries(context).map(([member, line]) => [member, { description: line }])),
    ),
  };
  const own = object(undefined, { type: { type: 'string', enum: [name], description: TYPE }, data: object(DATA, data) });
  return { description, allOf: [parts.refer('schemas', 'EventEnvelope', envelopeSchema), own] };
}

const TYPE = 'What happened.';
const DATA = 'What changed.';

function envelopeSchema(): Json {
  const uuid = { type: 'string', format: 'uuid' };
  const envelope: Record<string, Json> = {
    id: { ...uuid, description: 'The `Svc-Event-Id`.' },
    object: { type: 'string', enum: ['event'], description: 'Always `event`.' },
    type: { type: 'string', description: TYPE },
    api_version: { type: 'string', enum: ['v1'], description: 'Version of this body.' },
    mode: { type: 'string', enum: ['live', 'test'], description: 'Data plane.' },
    created_at: { type: 'string', format: 'date-time', description: 'When it happened, UTC.' },
    sequence: { type: 'integer', minimum: 1, description: 'Orders events: larger is later. Gaps have no meaning.' },
    organization_id: { ...uuid, description: 'The organization.' },
    project_id: { ...uuid, nullable: true, description: 'The project; null for what belongs to no project.' },
    actor: { allOf: [{ $ref: getSchemaPath(ActorDto) }], description: 'Who did it.' },
    data: object(DATA, {
      previous_attributes: {
        type: 'object',
        additionalProperties: true,
        description: 'The changed members with their previous values.',
      },
    }),
    request: object('The call that caused it.', {
      id: { type: 'string', nullable: true, description: 'Its Request-Id.' },
      idempotency_key: { type: 'string', nullable: true, description: 'Its Idempotency-Key.' },
    }),
  };
  const example = exampleEvent({ name: 'webhook_endpoint.tested' }, {});
  for (const name of ['id', 'created_at', 'sequence', 'organization_id', 'project_id']) envelope[name].example = example[name];
  return object('The members of every delivery.', envelope);
}

function object(description: string | undefined, properties: Record<string, Json>): Json {
  return { type: 'object', ...(description && { description }), required: Object.keys(properties), properties };
}
