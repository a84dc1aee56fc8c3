import { describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { Field } from '../../kit/index.js';
import { schemaName } from '../../kit/internal.js';
import { nameSchemas } from './schema-names.js';

function dto(name: string, nested?: Type): Type {
  const type = { [name]: class {} }[name];
  if (nested) Field.object(() => nested, { description: 'A part.', example: undefined })(type.prototype as object, 'part');
  return type;
}

describe('nameSchemas', () => {
  it('drops Dto, of nested classes too', () => {
    const part = dto('WheelDto');
    const whole = dto('CarDto', part);
    const plain = dto('Bus');
    nameSchemas([
      { type: whole, user: 'get_car' },
      { type: whole, user: 'list_cars' },
      { type: plain, user: 'get_bus' },
    ]);
    expect([whole, part, plain].map(schemaName)).toEqual(['Car', 'Wheel', 'Bus']);
  });

  it.each([
    ['WheelDto', 'WheelDto of get_car (part) and WheelDto of get_wheel would both be the schema Wheel'],
    ['Wheel', 'WheelDto of get_car (part) and Wheel of get_wheel would both be the schema Wheel'],
  ])('refuses the class %s beside another of the name', (name, message) => {
    const described = [
      { type: dto('CarDto', dto('WheelDto')), user: 'get_car' },
      { type: dto(name), user: 'get_wheel' },
    ];
    expect(() => nameSchemas(described)).toThrow(message);
  });
});
