import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRODUCTION, settingsOf } from '../../../test/harness/settings.js';
import { DomainModule, moduleSettings, optionalSetting, setting, settingTypes, type Settings } from '../../kit/index.js';
import type { SettingsClass } from '../../kit/internal.js';
import { PROJECT_ROOT } from './project-root.js';

class LampSettings extends moduleSettings({
  watts: setting({
    variable: 'LAMP_WATTS',
    path: 'lamps.watts',
    type: settingTypes.wholeNumber(1, 100),
    default: 8,
    description: 'The power of a lamp.',
  }),
  token: optionalSetting({
    variable: 'LAMP_TOKEN',
    type: settingTypes.secretText(8),
    secret: true,
    requiredInProduction: true,
    description: 'Switches lamps.',
  }),
}) {}

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'work-suite-settings-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

function moduleWith(...settings: SettingsClass[]): Type {
  class LampsModule {}
  DomainModule({ name: 'lamps', title: 'Lamps', guide: '', scopes: {}, settings, entities: [], controllers: [], providers: [] })(
    LampsModule,
  );
  return LampsModule;
}

function settings(env: Record<string, string> = {}, modules = [moduleWith(LampSettings)], configDir?: string): Settings {
  return settingsOf(modules, { DATA_DIR: dataDir, ...env }, configDir);
}

/** With a folder of configuration files: the defaults, and one for the tests. */
function withFile(yaml: string, modules?: Type[]): Settings {
  copyFileSync(join(PROJECT_ROOT, 'config', 'default.yaml'), join(dataDir, 'default.yaml'));
  writeFileSync(join(dataDir, 'test.yaml'), yaml);
  return settings({}, modules, dataDir);
}

describe('the settings of a module', () => {
  test('come from the environment, else from a file, else from their definition, and cannot be changed', () => {
    const slice = settings().of(LampSettings);
    expect([slice.watts, slice.token, slice instanceof LampSettings, Object.isFrozen(slice)]).toEqual([8, undefined, true, true]);
    expect(settings({ LAMP_WATTS: '9', LAMP_TOKEN: 'let me in' }).of(LampSettings)).toMatchObject({ watts: 9 });
    expect(JSON.stringify(settings({ LAMP_TOKEN: 'let me in' }).of(LampSettings))).not.toContain('let me in');
    expect(settings({ LAMP_TOKEN: 'let me in' }).of(LampSettings).token?.reveal()).toBe('let me in');
    expect(withFile('lamps:\n  watts: 40\n').of(LampSettings).watts).toBe(40);
  });

  test.each<[() => unknown, string]>([
    [() => settings({ LAMP_WATTS: '101' }), 'LAMP_WATTS must be a whole number from 1 to 100, but it is "101".'],
    [() => settings({ LAMP_TOKEN: 'short' }), 'LAMP_TOKEN must be a random string of at least 8 characters, but the given value is not.'],
    [() => withFile('lamps:\n  watts: dim\n'), 'lamps.watts in config/test.yaml must be a whole number from 1 to 100, but it is "dim".'],
    [() => withFile('lamps:\n  wats: 8\n'), 'config/test.yaml has the key "lamps.wats", which is not a setting.'],
    [() => withFile('http:\n  prot: 1\n'), 'config/test.yaml has the key "http.prot", which is not a setting.'],
    [() => withFile('htpp:\n'), 'config/test.yaml has the key "htpp", which is not a setting.'],
    [() => withFile('lamps:\n  watts: 8\n', []), 'config/test.yaml has the key "lamps.watts", which is not a setting.'],
    [() => settings(PRODUCTION), 'LAMP_TOKEN must be set when NODE_ENV is production, to a random string of at least 8 characters.'],
  ])('that are invalid fail the start with one sentence: %#', (load, message) => {
    expect(load).toThrow(expect.objectContaining({ name: 'ConfigError', message }));
  });

  test('are declared once, and without a path if secret', () => {
    const definition = { variable: 'PORT', type: settingTypes.wholeNumber(1, 2), description: 'No.' };
    class Again extends moduleSettings({ port: setting(definition) }) {}
    expect(() => settings({}, [moduleWith(Again)])).toThrow(
      'The setting PORT is declared by the platform and by Again: choose another name.',
    );
    class Open extends moduleSettings({ key: setting({ ...definition, variable: 'KEY', path: 'key', secret: true }) }) {}
    expect(() => settings({}, [moduleWith(Open)])).toThrow('The setting KEY of Open is secret, so it cannot come from a file');
  });

  test('are refused to a module that does not declare them', () => {
    expect(() => settings({}, []).of(LampSettings)).toThrow('LampSettings is in the settings of no manifest');
  });
});

describe('modules', () => {
  test('encrypt what only this installation can decrypt', () => {
    const one = settings();
    const sealed = one.encrypt('passcode 4711, ümlaut');
    expect(sealed).not.toBe(one.encrypt('passcode 4711, ümlaut'));
    expect(settings().decrypt(sealed)).toBe('passcode 4711, ümlaut');
    expect(() => settings({ ENCRYPTION_KEY: 'k'.repeat(32) }).decrypt(sealed)).toThrow();
    expect(() => one.decrypt('nonsense')).toThrow();
  });

  test('hash guessable text with a key', () => {
    expect(settings().mac('123456')).toBe(settings().mac('123456'));
    expect(settings().mac('123456')).not.toBe(settings().mac('123457'));
    expect(settings().mac('123456')).not.toBe(settings({ ENCRYPTION_KEY: 'k'.repeat(32) }).mac('123456'));
  });
});
