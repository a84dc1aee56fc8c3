import { Injectable } from '@nestjs/common';
import { Column, Entity } from 'typeorm';
import { BusinessEntity, event, Field, ResourceDto } from '../../../src/kit/index.js';

class TripDto extends ResourceDto {
  @Field.constant('trip') object: string;
}

@Entity('forgotten_trips')
export class ForgottenTrip extends BusinessEntity {
  @Column('text') title: string;
}

export const forgottenEvent = event({ name: 'trip.forgotten', description: 'A trip was forgotten.', permission: null, payload: TripDto });

@Injectable()
export class ForgottenRates {}

@Injectable()
export class Trips {
  constructor(readonly rates: ForgottenRates) {}
}
