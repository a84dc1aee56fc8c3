/**
 * Whether the installation calls servers of others at the moment. Operators hold such calls back with `OUTBOUND=off`, and the suite does so
 * itself on a copied database. Webhooks, mails and jobs with `outbound: true` wait then; code that calls others by itself must ask:
 *
 *     if (!this.outbound.isOpen) throw CommonErrors.unavailable({ message: 'Calls to the carrier are held back by the operator.' });
 *
 * @example
 * ```ts
 * import { CommonErrors, type Outbound } from 'work-suite/kit';
 *
 * export function requireOpen(outbound: Outbound): void {
 *   if (!outbound.isOpen) throw CommonErrors.unavailable({ message: 'This copy of the suite calls nobody.' });
 * }
 * ```
 */
export abstract class Outbound {
  abstract readonly isOpen: boolean;
}
