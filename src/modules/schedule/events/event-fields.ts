import { keepLiteral, validationError, type ErrorDetail } from '../../../kit/index.js';
import type { EventTemplate } from '../model/setup/event-template.entity.js';
import { metadataFaults } from '../templates/metadata-schema.js';

export interface TemplateFields {
  location: string | null;
  description: string | null;
  metadata: Record<string, unknown>;
}

/** Rejects fields that the template of the calendar does not allow. */
export function requireTemplateFields({ core, metadata_schema }: EventTemplate, fields: TemplateFields): void {
  const details: ErrorDetail[] = metadataFaults(metadata_schema, fields.metadata);
  for (const name of ['location', 'description'] as const) {
    if (core[name] === 'required' && !fields[name])
      details.push({ param: name, code: 'missing', message: `${name} is required by the event template of the calendar` });
    if (core[name] === 'hidden' && fields[name])
      details.push({ param: name, code: 'invalid_value', message: `${name} must be omitted: the event template of the calendar hides it` });
  }
  if (details.length > 0) throw validationError(details);
}

/** JSON Merge Patch (RFC 7396): null removes a member. */
export function mergedMetadata(before: Record<string, unknown>, changes: Record<string, unknown> | undefined): Record<string, unknown> {
  if (!changes) return before;
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name];
    else {
      merged[name] = value;
      keepLiteral(changes, name, merged);
    }
  }
  return merged;
}
