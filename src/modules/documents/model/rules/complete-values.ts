import { CommonErrors } from '../../../../kit/index.js';
import type { Document } from '../records/document.entity.js';

/** Refuses a document that lacks required values, naming each. */
export function requireComplete({ missing_required_fields }: Document): void {
  if (missing_required_fields.length === 0) return;
  const details = missing_required_fields.map((path) => ({
    param: `data_values.${path}`,
    code: 'missing',
    message: `data_values.${path} is required`,
  }));
  throw CommonErrors.missingFields({ param: details[0].param, message: details[0].message, details });
}
