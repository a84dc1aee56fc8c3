import { defineErrors, type PermissionDefinitions } from '../../kit/index.js';

export const CustomFieldErrors = defineErrors({
  hasValues: {
    code: 'custom_field_has_values',
    type: 'conflict_error',
    status: 409,
    message: 'Records have values of this field. Send confirm=true to delete it; it can be restored for 30 days.',
  },
});

export const CUSTOM_FIELD_PERMISSIONS = {
  'org.custom_fields.manage': { title: 'Add fields to records, change and delete them', group: 'Organization', roles: ['admin'] },
} as const satisfies PermissionDefinitions;
