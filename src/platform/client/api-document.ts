/** The parts of an OpenAPI document that the client is generated from. */
export interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks?: Record<string, { post: ApiOperation }>;
  components: { [kind in 'schemas' | 'responses' | 'parameters' | 'examples']?: Record<string, object> };
}

export interface ApiOperation {
  operationId: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  tags: string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, ApiResponse | Reference>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface ApiResponse {
  content?: Record<string, { schema: Schema; examples?: Record<string, { value: unknown } | Reference> }>;
}

export interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  /** The resource whose custom fields are the members. */
  'x-custom-fields'?: string;
  format?: string;
  contentMediaType?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** What a reference within the document refers to; anything else as it is. */
export function resolved<T extends object>(document: ApiDocument, value: T | Reference): T {
  if (!('$ref' in value)) return value;
  const [, , kind, name] = (value as Reference).$ref.split('/');
  const found = document.components[kind as keyof ApiDocument['components']]?.[name];
  if (!found) throw new Error(`${(value as Reference).$ref} is not in the OpenAPI document.`);
  return resolved(document, found as T | Reference);
}
