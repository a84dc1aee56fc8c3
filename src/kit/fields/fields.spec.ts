import { expect, it } from '@jest/globals';
import { bothOf, Field, fieldsOf, ResourceDto, shownOf } from './fields.js';

class CreateTripDto {
  @Field.string({
    description: 'Driver.',
    onCreate: 'You if omitted.',
    example: 'Ada',
    required: false,
    nullable: true,
    default: 'you',
  })
  driver?: string | null;

  @Field.integer({
    description: 'Seats to reserve.',
    example: 2,
    maximum: 8,
  })
  seats: number;
}

it('shows fields of a request as a response has them, with the changes of this use', () => {
  class TripDto extends bothOf(
    ResourceDto,
    shownOf(CreateTripDto, { seats: { description: 'Reserved.', maximum: undefined }, driver: true }),
  ) {}
  const fields = fieldsOf(TripDto);
  expect([...fields.keys()]).toEqual(['id', 'version', 'created_at', 'updated_at', 'seats', 'driver']);
  const common = { required: true, default: undefined, onCreate: undefined };
  expect(fields.get('driver')).toEqual({ ...fieldsOf(CreateTripDto).get('driver'), ...common });
  expect(fields.get('seats')).toMatchObject({ ...common, description: 'Reserved.', minimum: -2147483648, maximum: undefined });
  expect(fieldsOf(CreateTripDto).get('seats')).toMatchObject({ description: 'Seats to reserve.', maximum: 8 });
});

it('refuses an object that is deprecated', () => {
  const trip = Field.object(() => CreateTripDto, { description: 'Trip.', example: {}, deprecated: true });
  expect(() => trip(CreateTripDto.prototype, 'trip')).toThrow('CreateTripDto.trip: an object cannot be deprecated.');
});

it('refuses a field that the request does not have', () => {
  expect(() => shownOf(CreateTripDto, { driver: true, wheels: true } as { driver: true })).toThrow('CreateTripDto has no field wheels.');
});
