import { expect, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { DomainModule } from '../../kit/index.js';
import { startableModules } from './startable-modules.js';

function module(name: string, imports: Type[] = []): Type {
  class Any {}
  DomainModule({
    name,
    title: name,
    guide: '',
    scopes: {},
    entities: [],
    controllers: [],
    providers: [],
    errors: {},
    events: {},
    imports,
  })(Any);
  return Any;
}

test('a module whose import has no line is left out, and so is one that imports it, in any order', () => {
  const ground = module('ground');
  const house = module('house', [ground]);
  const roof = module('roof', [house]);
  const garden = module('garden');
  expect(startableModules([roof, house, ground, garden])).toEqual({ modules: [roof, house, ground, garden], leftOut: [] });
  expect(startableModules([roof, house, garden])).toEqual({
    modules: [garden],
    leftOut: [
      'The module house is left out, because it imports ground, which has no line.',
      'The module roof is left out, because it imports house, which has no line.',
    ],
  });
});
