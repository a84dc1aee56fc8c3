import { CommonErrors, canonicalZone } from '../../../kit/index.js';

/** The zone in its usual case, or `validation_failed`. */
export function requireZone(timezone: string, param = 'timezone'): string {
  const zone = canonicalZone(timezone);
  if (zone !== null) return zone;
  throw CommonErrors.validationFailed({ param, message: `${param} must be the IANA name of a time zone, such as Europe/Berlin` });
}
