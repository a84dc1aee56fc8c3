import { Field, ImportResultDto } from '../../../kit/index.js';

/** The result of an import. */
export class EmployeeImportDto extends ImportResultDto {
  @Field.constant('employee_import')
  object: string;
}
