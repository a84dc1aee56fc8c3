import { Field } from '../../../kit/index.js';
import { EXAMPLE } from './example-ids.js';

export const OF_PROJECT = { description: 'Project; the default project if omitted.', example: EXAMPLE.project, required: false };
export const CURRENCY = { description: 'ISO 4217 code.', example: 'EUR', pattern: '^[A-Z]{3}$', maxLength: 3, minLength: 3 };
export const COUNTRY = { description: 'ISO 3166-1 alpha-2.', example: 'DE', pattern: '^[A-Z]{2}$', maxLength: 2, minLength: 2 };
export const TAX_CLASS = {
  description: 'Tax class, such as standard.',
  example: 'standard',
  pattern: '^[a-z][a-z0-9_]{0,31}$',
  maxLength: 32,
};
export const RATE = { description: 'Percent.', example: '19', digits: 3, places: 4 };
export const TAX_CODE = { description: 'Code of the tax.', example: 'S19', maxLength: 32 };
export const OPTIONAL = { nullable: true, required: false };

export function amount(description: string, { summary = false, example = 12_900 } = {}): PropertyDecorator {
  return Field.amount({ description, example, summary });
}
