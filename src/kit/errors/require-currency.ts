import { isCurrency } from '../values/formats.js';
import { CommonErrors } from './common-errors.js';

/**
 * 400 `validation_failed` unless the field is the ISO 4217 code of a currency, or undefined.
 *
 * @example
 * ```ts
 * import { requireCurrency } from 'work-suite/kit';
 *
 * requireCurrency('currency', 'EUR'); // 400 for the field if the code is unknown
 * ```
 */
export function requireCurrency(param: string, code: string | undefined): void {
  if (code === undefined || isCurrency(code)) return;
  throw CommonErrors.validationFailed({ param, message: `${param} must be an ISO 4217 code, for example EUR` });
}
