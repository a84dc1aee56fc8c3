import type { Settable, ValuesOf } from './setting.js';

const DEFINITIONS = Symbol('settings');

/** A class of settings; an instance has their values. */
export type SettingsClass<V extends object = object> = new () => V;

/**
 * The settings of a module, as a class to extend. List the class in `settings` of the manifest and inject it: the instance has the
 * values, which are validated at the start, all settings together.
 *
 * @example
 * ```ts
 * import { moduleSettings, setting, settingTypes } from 'work-suite/kit';
 *
 * export class FleetSettings extends moduleSettings({
 *   perDay: setting({
 *     variable: 'FLEET_TRIPS_PER_DAY',
 *     path: 'fleet.tripsPerDay',
 *     type: settingTypes.wholeNumber(1, 1_000),
 *     default: 20,
 *     description: 'Trips that one member may plan on one day (UTC).',
 *   }),
 * }) {}
 * ```
 */
export function moduleSettings<const D extends Settable>(definitions: D): SettingsClass<ValuesOf<D>> {
  class Values {}
  Object.defineProperty(Values, DEFINITIONS, { value: definitions });
  return Values as SettingsClass<ValuesOf<D>>;
}

/** The definitions of a class of settings; undefined for another class. */
export function settingsOf(target: unknown): Settable | undefined {
  return typeof target === 'function' ? (target as unknown as { [DEFINITIONS]?: Settable })[DEFINITIONS] : undefined;
}
