import type { ArgumentSchema } from './argument-validation.js';
import { CLEAR } from './clear-argument.js';
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
export function inputFor(tool: CatalogTool, input: Json, { customFields, requiresPlan }: InputCaller): Json {
  const { customFields: taken, planToken, clearable } = tool;
  const planned =
    requiresPlan && planToken ? { ...input, properties: { ...(input['properties'] as Json), [PLAN_TOKEN]: planToken } } : input;
  if (!customFields || customFields.revision === '' || taken.length === 0) return planned;
  return giveCustomFields(planned, taken, customFields, clearable);
}

/** Whether the caller's tools list an argument that the route takes. */
export function isListedFor(tool: CatalogTool, caller: InputCaller): (name: string, argument: ArgumentSchema) => boolean {
  const { properties } = inputFor(tool, tool.definition.inputSchema as Json, caller) as { properties: Json };
  return (name, { customFieldsOf, isDeprecated }) => {
    if (isDeprecated) return false;
    const use = tool.readOnly ? 'filters' : 'values';
    if (customFieldsOf !== undefined) return caller.customFields?.schema(customFieldsOf, use) !== undefined;
    return (name !== PLAN_TOKEN && name !== CLEAR) || name in properties;
  };
}
