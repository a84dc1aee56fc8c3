import { giveCustomFields, type CallerFields } from './custom-fields.js';
import type { CatalogTool } from './tool-catalog.js';
import { PLAN_TOKEN } from './tool-input.js';
import type { Json } from '../protocol/protocol.js';

/** What decides which further arguments a caller's tools have. */
export interface InputCaller {
  customFields?: CallerFields | undefined;
  requiresPlan?: boolean | undefined;
}

/** The input of a tool with the arguments that only some callers have; the same object if there are none. */
export function inputFor({ customFields: taken, planToken }: CatalogTool, input: Json, { customFields, requiresPlan }: InputCaller): Json {
  const planned =
    requiresPlan && planToken ? { ...input, properties: { ...(input['properties'] as Json), [PLAN_TOKEN]: planToken } } : input;
  return customFields && customFields.revision !== '' && taken.length > 0 ? giveCustomFields(planned, taken, customFields) : planned;
}
