import { ValidateBy, type ValidationArguments } from 'class-validator';

/**
 * A rule of class-validator: the value comes after that of another field, if there is one. For numbers, days and times of day.
 *
 * @example
 * ```ts
 * import { Field, IsAfter } from 'work-suite/kit';
 *
 * export class PeriodDto {
 *   @Field.date({ description: 'First day.', example: '2026-11-29' })
 *   from: string;
 *
 *   @IsAfter('from')
 *   @Field.date({ description: 'Last day.', example: '2026-12-06' })
 *   to: string;
 * }
 * ```
 */
export function IsAfter(other: string): PropertyDecorator {
  const bound = (args?: ValidationArguments) => (args?.object as Record<string, string | number | null | undefined>)[other] ?? null;
  return ValidateBy({
    name: 'isAfter',
    validator: {
      validate: (value: string | number, args) => {
        const start = bound(args);
        return start === null || value > start;
      },
      defaultMessage: (args) => `$property must be after ${other} (${bound(args)})`,
    },
  });
}
