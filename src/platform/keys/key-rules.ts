import { CommonErrors, DomainError, invalid, validationError, type ErrorDetail } from '../../kit/index.js';
import { CONNECTION, connectableScopes } from './connection-scopes.js';
import type { ScopeCatalog } from './scope-catalog.js';
import { InvalidCidr, parseCidr } from '../net/address.js';

/** Returns the scopes in the module's order. Throws if there are none or if some are outside the module. */
export function checkScopes(catalog: ScopeCatalog, moduleName: string, scopes: readonly string[]): string[] {
  if (moduleName === CONNECTION) return checkConnectionScopes(catalog, scopes);
  const modules = catalog.modules();
  const module = modules.find(({ name }) => name === moduleName);
  if (!module)
    throw CommonErrors.validationFailed({
      param: 'module',
      message: 'module must be the name of a module',
      allowed: modules.map(({ name }) => name),
    });
  const allowed = Object.keys(module.scopes);
  if (scopes.length === 0)
    throw CommonErrors.validationFailed({ param: 'scopes', message: 'scopes must contain at least one scope', allowed });
  const unknown = scopes.filter((scope) => !allowed.includes(scope));
  if (unknown.length > 0) {
    throw CommonErrors.validationFailed({
      param: 'scopes',
      message: `scopes must belong to the module ${moduleName}; ${unknown.join(', ')} ${unknown.length === 1 ? 'does' : 'do'} not`,
      allowed,
    });
  }
  return allowed.filter((scope) => scopes.includes(scope));
}

function checkConnectionScopes(catalog: ScopeCatalog, scopes: readonly string[]): string[] {
  const allowed = connectableScopes(catalog);
  if (scopes.length === 0 || !scopes.every((scope) => allowed.includes(scope)))
    throw CommonErrors.validationFailed({
      param: 'scopes',
      message: 'scopes must contain at least one scope, and only scopes of modules that have tools',
      allowed,
    });
  return allowed.filter((scope) => scopes.includes(scope));
}

/** Canonical ranges, each once. */
export function checkAllowedIps(ranges: readonly string[]): string[] {
  const details: ErrorDetail[] = [];
  const canonical = new Set<string>();
  ranges.forEach((range, index) => {
    try {
      canonical.add(parseCidr(range).text);
    } catch (error) {
      if (!(error instanceof InvalidCidr)) throw error;
      details.push({ param: `allowed_ips.${index}`, code: 'invalid_value', message: error.message });
    }
  });
  if (details.length > 0) throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, details });
  return [...canonical];
}

export function checkExpiry(expiresAt: string | null): Date | null {
  if (expiresAt === null) return null;
  const time = new Date(expiresAt);
  if (time.getTime() <= Date.now()) throw invalid('expires_at', 'must be in the future');
  return time;
}

/** Runs all checks and throws their errors as one; a single error is thrown unchanged. */
export function allOf<Checks extends readonly (() => unknown)[]>(...checks: Checks): { [At in keyof Checks]: ReturnType<Checks[At]> } {
  const refusals: DomainError[] = [];
  const results = checks.map((check) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof DomainError) || error.spec !== CommonErrors.validationFailed.spec) throw error;
      refusals.push(error);
      return null;
    }
  });
  if (refusals.length === 1) throw refusals[0];
  if (refusals.length > 1) throw validationError(refusals.flatMap(detailsOf));
  return results as { [At in keyof Checks]: ReturnType<Checks[At]> };
}

function detailsOf({ message, occurrence: { param = '', details, allowed } }: DomainError): readonly ErrorDetail[] {
  return details ?? [{ param, code: 'invalid_value', message, ...(allowed && { allowed }) }];
}
