import { expect, it } from '@jest/globals';
import { bothOf, Field, ResourceDto } from './fields.js';
import { responseOf } from './response-of.js';

class Named {
  @Field.string({
    description: 'Name.',
    example: 'Ada',
    nullable: true,
  })
  name: string | null;

  @Field.dateTime({
    description: 'When it ended.',
    example: null,
    nullable: true,
  })
  ended_at: string | null;

  @Field.string({
    description: 'Present with expand=owner.',
    example: 'Grace',
    required: false,
  })
  owner?: string;
}

class TripDto extends bothOf(ResourceDto, Named) {
  @Field.constant('trip')
  object: string;

  @Field.integer({
    description: 'Days.',
    example: 1,
  })
  days: number;
}

it('has the columns that are fields, times as text, and the object, and no other column', () => {
  const at = new Date('2027-03-01T08:00:00.000Z');
  const row = {
    id: 'a',
    version: 2,
    created_at: at,
    updated_at: at,
    name: null,
    ended_at: null as Date | null,
    secret: 'x',
    object: 'row',
  };
  const trip: TripDto = { ...responseOf(TripDto, row), days: 3 };
  const time = '2027-03-01T08:00:00.000Z';
  expect(trip).toStrictEqual({
    id: 'a',
    version: 2,
    created_at: time,
    updated_at: time,
    name: null,
    ended_at: null,
    object: 'trip',
    days: 3,
  });
  expect(responseOf(TripDto, { ...row, ended_at: at }).ended_at).toBe(time);
});
