import { Injectable } from '@nestjs/common';
import { createTestApp, type TestApp } from '../../../../test/harness/app.js';
import type { TestAppOptions } from '../../../../test/harness/test-app.js';
import { DocumentTokens, DomainModule, invalid, type Ctx, type DocumentTokenValue, type TokenizedDocument } from '../../../kit/index.js';
import { DocumentsModule } from '../documents.public.js';

type Vehicle = Record<string, DocumentTokenValue>;

const vehicles = new Map<string, Vehicle>();
const asked: string[][] = [];

/** What the source of the tokens says about a vehicle from now on. */
export function setVehicle(_app: unknown, id: string, vehicle: Vehicle): void {
  vehicles.set(id, vehicle);
}

/** The tokens that were read, by read. */
export function readTokens(): string[][] {
  return asked.splice(0);
}

@Injectable()
class GarageTokens extends DocumentTokens {
  read(_ctx: Ctx, { source_ref }: TokenizedDocument, names: readonly string[]): Promise<Vehicle> {
    asked.push([...names]);
    if (source_ref === null) return Promise.resolve({});
    const vehicle = vehicles.get(typeof source_ref === 'string' ? source_ref : String(source_ref.id));
    return vehicle ? Promise.resolve(vehicle) : Promise.reject(invalid('source_ref', 'is no vehicle of the garage'));
  }
}

@DomainModule({
  name: 'garage',
  title: 'Garage',
  guide: 'For the test of document tokens.',
  scopes: {},
  entities: [],
  controllers: [],
  providers: [GarageTokens],
  documentTokens: {
    names: {
      vehicle_name: { type: 'text', description: 'Name of the vehicle' },
      seats: { type: 'number', description: 'Its seats' },
      inspected_on: { type: 'date', description: 'When it was inspected' },
      is_electric: { type: 'boolean', description: 'Whether it is electric' },
    },
    provider: GarageTokens,
  },
})
class GarageModule {}

/** The application with documents and a module that has tokens for them. */
export function createGarageApp(options: TestAppOptions = {}): Promise<TestApp> {
  return createTestApp({ ...options, modules: [DocumentsModule, GarageModule] });
}
