// Generated from schemas/plan.schema.json; do not edit.
var validate = validate10;
var schema11 = { "type": "object", "required": ["format", "workspace", "environment", "lock", "options", "partial", "digest", "notes", "actions", "summary", "diagnostics"], "additionalProperties": false, "properties": { "format": { "const": "agentform/plan/v1" }, "workspace": { "type": "string" }, "environment": { "type": ["string", "null"] }, "lock": { "type": ["object", "null"], "required": ["source", "lineage", "serial"], "additionalProperties": false, "properties": { "source": { "type": "string" }, "lineage": { "type": "string" }, "serial": { "type": "integer" } } }, "options": { "type": "object" }, "partial": { "type": "boolean" }, "digest": { "type": "string" }, "state_changes": { "type": "array", "items": { "$ref": "#/definitions/stateChange" } }, "settings": { "$ref": "#/definitions/settings" }, "setting_changes": { "type": "array", "items": { "$ref": "#/definitions/change" } }, "notes": { "type": "array", "items": { "$ref": "#/definitions/note" } }, "actions": { "type": "array", "items": { "$ref": "#/definitions/action" } }, "summary": { "type": "object", "required": ["create", "update", "replace", "adopt", "forget", "record", "unknown", "blocked", "unchanged"], "additionalProperties": false, "properties": { "create": { "type": "integer" }, "update": { "type": "integer" }, "replace": { "type": "integer" }, "adopt": { "type": "integer" }, "forget": { "type": "integer" }, "record": { "type": "integer" }, "unknown": { "type": "integer" }, "blocked": { "type": "integer" }, "unchanged": { "type": "integer" } } }, "diagnostics": { "type": "array", "items": { "$ref": "#/definitions/diagnostic" } }, "documents": { "type": "object", "additionalProperties": { "type": "object" }, "propertyNames": { "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" } }, "checksum": { "type": "string" } }, "definitions": { "stateChange": { "type": "object", "required": ["part", "edit", "before", "after", "changes"], "additionalProperties": false, "properties": { "part": { "type": "string" }, "key": { "type": "string" }, "address": { "type": "string" }, "edit": { "type": "string", "enum": ["added", "removed", "changed"] }, "before": { "type": ["string", "null"] }, "after": { "type": ["string", "null"] }, "changes": { "type": "array", "items": { "$ref": "#/definitions/change" } } } }, "settings": { "type": "object", "additionalProperties": false, "properties": { "service": { "type": "object", "additionalProperties": false, "properties": { "base_url": { "type": "string" }, "rai_base_url": { "type": "string" }, "api_key": { "type": "string" }, "field_names": { "type": "object", "additionalProperties": { "type": "string" } }, "tool_ids": { "type": "string" }, "id_pointers": { "type": "object", "additionalProperties": { "type": "string" } }, "rejected_statuses": { "type": "array", "items": { "type": "integer" } } } }, "lock": { "type": "object", "additionalProperties": false, "properties": { "store": { "type": "string" }, "remote": { "type": "string" }, "ref": { "type": "string" } } } } }, "note": { "type": "object", "required": ["code", "effect", "address", "message"], "additionalProperties": false, "properties": { "code": { "type": "string" }, "effect": { "type": "string", "enum": ["weakens", "widens"] }, "address": { "type": "string" }, "message": { "type": "string" }, "path": { "type": "string" } } }, "change": { "type": "object", "required": ["path"], "additionalProperties": false, "properties": { "path": { "type": "string" }, "before": {}, "after": {}, "order": { "const": true }, "outline": { "const": true }, "references": { "type": "array", "items": { "type": "string" } } } }, "action": { "type": "object", "required": ["address", "action", "reasons", "changes", "affects", "waits_for", "reads"], "additionalProperties": false, "properties": { "address": { "type": "string", "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, "action": { "type": "string", "enum": ["create", "update", "replace", "adopt", "forget", "record", "unknown", "blocked"] }, "reasons": { "type": "array", "items": { "type": "string" } }, "changes": { "type": "array", "items": { "$ref": "#/definitions/change" } }, "affects": { "type": "array", "items": { "type": "string" } }, "affects_more": { "const": true }, "waits_for": { "type": "array", "items": { "type": "string" } }, "reads": { "type": "object", "additionalProperties": { "type": ["string", "null"] } }, "file": { "type": "string" }, "body": { "type": "object" }, "protect": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } }, "leaves": { "type": "integer" }, "requests": { "type": "array", "items": { "type": "string" } }, "fields": { "type": "array", "items": { "type": "string" } }, "adopted": { "type": ["string", "array"], "items": { "type": "string" } }, "ids": { "type": "array", "items": { "type": "string" } }, "from": { "type": "string" }, "tools": { "type": "object", "additionalProperties": { "type": "string" } }, "assumed": { "type": "boolean" } } }, "diagnostic": { "type": "object", "required": ["code", "severity", "message"], "additionalProperties": false, "properties": { "code": { "type": "string", "pattern": "^[a-z][a-z0-9-]*$" }, "severity": { "type": "string", "enum": ["error", "warning", "note"] }, "message": { "type": "string" }, "hint": { "type": "string" }, "address": { "type": "string" }, "file": { "type": "string" }, "line": { "type": "integer", "minimum": 1 }, "column": { "type": "integer", "minimum": 1 }, "end_line": { "type": "integer", "minimum": 1 }, "end_column": { "type": "integer", "minimum": 1 }, "related": { "type": "array", "items": { "$ref": "#/definitions/related" } } } }, "related": { "type": "object", "required": ["message"], "additionalProperties": false, "properties": { "message": { "type": "string" }, "file": { "type": "string" }, "line": { "type": "integer", "minimum": 1 }, "column": { "type": "integer", "minimum": 1 } } } } };
var schema16 = { "type": "object", "required": ["code", "effect", "address", "message"], "additionalProperties": false, "properties": { "code": { "type": "string" }, "effect": { "type": "string", "enum": ["weakens", "widens"] }, "address": { "type": "string" }, "message": { "type": "string" }, "path": { "type": "string" } } };
var func2 = Object.prototype.hasOwnProperty;
var schema12 = { "type": "object", "required": ["part", "edit", "before", "after", "changes"], "additionalProperties": false, "properties": { "part": { "type": "string" }, "key": { "type": "string" }, "address": { "type": "string" }, "edit": { "type": "string", "enum": ["added", "removed", "changed"] }, "before": { "type": ["string", "null"] }, "after": { "type": ["string", "null"] }, "changes": { "type": "array", "items": { "$ref": "#/definitions/change" } } } };
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.part === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "part" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.edit === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "edit" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.before === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "before" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.after === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "after" } };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.changes === void 0) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "changes" } };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "part" || key0 === "key" || key0 === "address" || key0 === "edit" || key0 === "before" || key0 === "after" || key0 === "changes")) {
        const err5 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.part !== void 0) {
      if (typeof data.part !== "string") {
        const err6 = { instancePath: instancePath + "/part", schemaPath: "#/properties/part/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.key !== void 0) {
      if (typeof data.key !== "string") {
        const err7 = { instancePath: instancePath + "/key", schemaPath: "#/properties/key/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.address !== void 0) {
      if (typeof data.address !== "string") {
        const err8 = { instancePath: instancePath + "/address", schemaPath: "#/properties/address/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.edit !== void 0) {
      let data3 = data.edit;
      if (typeof data3 !== "string") {
        const err9 = { instancePath: instancePath + "/edit", schemaPath: "#/properties/edit/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
      if (!(data3 === "added" || data3 === "removed" || data3 === "changed")) {
        const err10 = { instancePath: instancePath + "/edit", schemaPath: "#/properties/edit/enum", keyword: "enum", params: { allowedValues: schema12.properties.edit.enum } };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.before !== void 0) {
      let data4 = data.before;
      if (typeof data4 !== "string" && data4 !== null) {
        const err11 = { instancePath: instancePath + "/before", schemaPath: "#/properties/before/type", keyword: "type", params: { type: schema12.properties.before.type } };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.after !== void 0) {
      let data5 = data.after;
      if (typeof data5 !== "string" && data5 !== null) {
        const err12 = { instancePath: instancePath + "/after", schemaPath: "#/properties/after/type", keyword: "type", params: { type: schema12.properties.after.type } };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.changes !== void 0) {
      let data6 = data.changes;
      if (Array.isArray(data6)) {
        const len0 = data6.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data7 = data6[i0];
          if (data7 && typeof data7 == "object" && !Array.isArray(data7)) {
            if (data7.path === void 0) {
              const err13 = { instancePath: instancePath + "/changes/" + i0, schemaPath: "#/definitions/change/required", keyword: "required", params: { missingProperty: "path" } };
              if (vErrors === null) {
                vErrors = [err13];
              } else {
                vErrors.push(err13);
              }
              errors++;
            }
            for (const key1 in data7) {
              if (!(key1 === "path" || key1 === "before" || key1 === "after" || key1 === "order" || key1 === "outline" || key1 === "references")) {
                const err14 = { instancePath: instancePath + "/changes/" + i0, schemaPath: "#/definitions/change/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
                if (vErrors === null) {
                  vErrors = [err14];
                } else {
                  vErrors.push(err14);
                }
                errors++;
              }
            }
            if (data7.path !== void 0) {
              if (typeof data7.path !== "string") {
                const err15 = { instancePath: instancePath + "/changes/" + i0 + "/path", schemaPath: "#/definitions/change/properties/path/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            }
            if (data7.order !== void 0) {
              if (true !== data7.order) {
                const err16 = { instancePath: instancePath + "/changes/" + i0 + "/order", schemaPath: "#/definitions/change/properties/order/const", keyword: "const", params: { allowedValue: true } };
                if (vErrors === null) {
                  vErrors = [err16];
                } else {
                  vErrors.push(err16);
                }
                errors++;
              }
            }
            if (data7.outline !== void 0) {
              if (true !== data7.outline) {
                const err17 = { instancePath: instancePath + "/changes/" + i0 + "/outline", schemaPath: "#/definitions/change/properties/outline/const", keyword: "const", params: { allowedValue: true } };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
            if (data7.references !== void 0) {
              let data11 = data7.references;
              if (Array.isArray(data11)) {
                const len1 = data11.length;
                for (let i1 = 0; i1 < len1; i1++) {
                  if (typeof data11[i1] !== "string") {
                    const err18 = { instancePath: instancePath + "/changes/" + i0 + "/references/" + i1, schemaPath: "#/definitions/change/properties/references/items/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err18];
                    } else {
                      vErrors.push(err18);
                    }
                    errors++;
                  }
                }
              } else {
                const err19 = { instancePath: instancePath + "/changes/" + i0 + "/references", schemaPath: "#/definitions/change/properties/references/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err19];
                } else {
                  vErrors.push(err19);
                }
                errors++;
              }
            }
          } else {
            const err20 = { instancePath: instancePath + "/changes/" + i0, schemaPath: "#/definitions/change/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
        }
      } else {
        const err21 = { instancePath: instancePath + "/changes", schemaPath: "#/properties/changes/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err21];
        } else {
          vErrors.push(err21);
        }
        errors++;
      }
    }
  } else {
    const err22 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err22];
    } else {
      vErrors.push(err22);
    }
    errors++;
  }
  validate11.errors = vErrors;
  return errors === 0;
}
var schema17 = { "type": "object", "required": ["address", "action", "reasons", "changes", "affects", "waits_for", "reads"], "additionalProperties": false, "properties": { "address": { "type": "string", "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, "action": { "type": "string", "enum": ["create", "update", "replace", "adopt", "forget", "record", "unknown", "blocked"] }, "reasons": { "type": "array", "items": { "type": "string" } }, "changes": { "type": "array", "items": { "$ref": "#/definitions/change" } }, "affects": { "type": "array", "items": { "type": "string" } }, "affects_more": { "const": true }, "waits_for": { "type": "array", "items": { "type": "string" } }, "reads": { "type": "object", "additionalProperties": { "type": ["string", "null"] } }, "file": { "type": "string" }, "body": { "type": "object" }, "protect": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } }, "leaves": { "type": "integer" }, "requests": { "type": "array", "items": { "type": "string" } }, "fields": { "type": "array", "items": { "type": "string" } }, "adopted": { "type": ["string", "array"], "items": { "type": "string" } }, "ids": { "type": "array", "items": { "type": "string" } }, "from": { "type": "string" }, "tools": { "type": "object", "additionalProperties": { "type": "string" } }, "assumed": { "type": "boolean" } } };
var pattern0 = new RegExp("^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$", "u");
function validate13(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.address === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "address" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.action === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "action" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.reasons === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "reasons" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.changes === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "changes" } };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.affects === void 0) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "affects" } };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    if (data.waits_for === void 0) {
      const err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "waits_for" } };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    if (data.reads === void 0) {
      const err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "reads" } };
      if (vErrors === null) {
        vErrors = [err6];
      } else {
        vErrors.push(err6);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!func2.call(schema17.properties, key0)) {
        const err7 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.address !== void 0) {
      let data0 = data.address;
      if (typeof data0 === "string") {
        if (!pattern0.test(data0)) {
          const err8 = { instancePath: instancePath + "/address", schemaPath: "#/properties/address/pattern", keyword: "pattern", params: { pattern: "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" } };
          if (vErrors === null) {
            vErrors = [err8];
          } else {
            vErrors.push(err8);
          }
          errors++;
        }
      } else {
        const err9 = { instancePath: instancePath + "/address", schemaPath: "#/properties/address/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.action !== void 0) {
      let data1 = data.action;
      if (typeof data1 !== "string") {
        const err10 = { instancePath: instancePath + "/action", schemaPath: "#/properties/action/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
      if (!(data1 === "create" || data1 === "update" || data1 === "replace" || data1 === "adopt" || data1 === "forget" || data1 === "record" || data1 === "unknown" || data1 === "blocked")) {
        const err11 = { instancePath: instancePath + "/action", schemaPath: "#/properties/action/enum", keyword: "enum", params: { allowedValues: schema17.properties.action.enum } };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.reasons !== void 0) {
      let data2 = data.reasons;
      if (Array.isArray(data2)) {
        const len0 = data2.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (typeof data2[i0] !== "string") {
            const err12 = { instancePath: instancePath + "/reasons/" + i0, schemaPath: "#/properties/reasons/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
      } else {
        const err13 = { instancePath: instancePath + "/reasons", schemaPath: "#/properties/reasons/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
    if (data.changes !== void 0) {
      let data4 = data.changes;
      if (Array.isArray(data4)) {
        const len1 = data4.length;
        for (let i1 = 0; i1 < len1; i1++) {
          let data5 = data4[i1];
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            if (data5.path === void 0) {
              const err14 = { instancePath: instancePath + "/changes/" + i1, schemaPath: "#/definitions/change/required", keyword: "required", params: { missingProperty: "path" } };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
            for (const key1 in data5) {
              if (!(key1 === "path" || key1 === "before" || key1 === "after" || key1 === "order" || key1 === "outline" || key1 === "references")) {
                const err15 = { instancePath: instancePath + "/changes/" + i1, schemaPath: "#/definitions/change/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            }
            if (data5.path !== void 0) {
              if (typeof data5.path !== "string") {
                const err16 = { instancePath: instancePath + "/changes/" + i1 + "/path", schemaPath: "#/definitions/change/properties/path/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err16];
                } else {
                  vErrors.push(err16);
                }
                errors++;
              }
            }
            if (data5.order !== void 0) {
              if (true !== data5.order) {
                const err17 = { instancePath: instancePath + "/changes/" + i1 + "/order", schemaPath: "#/definitions/change/properties/order/const", keyword: "const", params: { allowedValue: true } };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
            if (data5.outline !== void 0) {
              if (true !== data5.outline) {
                const err18 = { instancePath: instancePath + "/changes/" + i1 + "/outline", schemaPath: "#/definitions/change/properties/outline/const", keyword: "const", params: { allowedValue: true } };
                if (vErrors === null) {
                  vErrors = [err18];
                } else {
                  vErrors.push(err18);
                }
                errors++;
              }
            }
            if (data5.references !== void 0) {
              let data9 = data5.references;
              if (Array.isArray(data9)) {
                const len2 = data9.length;
                for (let i2 = 0; i2 < len2; i2++) {
                  if (typeof data9[i2] !== "string") {
                    const err19 = { instancePath: instancePath + "/changes/" + i1 + "/references/" + i2, schemaPath: "#/definitions/change/properties/references/items/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err19];
                    } else {
                      vErrors.push(err19);
                    }
                    errors++;
                  }
                }
              } else {
                const err20 = { instancePath: instancePath + "/changes/" + i1 + "/references", schemaPath: "#/definitions/change/properties/references/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err20];
                } else {
                  vErrors.push(err20);
                }
                errors++;
              }
            }
          } else {
            const err21 = { instancePath: instancePath + "/changes/" + i1, schemaPath: "#/definitions/change/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
      } else {
        const err22 = { instancePath: instancePath + "/changes", schemaPath: "#/properties/changes/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
    if (data.affects !== void 0) {
      let data11 = data.affects;
      if (Array.isArray(data11)) {
        const len3 = data11.length;
        for (let i3 = 0; i3 < len3; i3++) {
          if (typeof data11[i3] !== "string") {
            const err23 = { instancePath: instancePath + "/affects/" + i3, schemaPath: "#/properties/affects/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err23];
            } else {
              vErrors.push(err23);
            }
            errors++;
          }
        }
      } else {
        const err24 = { instancePath: instancePath + "/affects", schemaPath: "#/properties/affects/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
    }
    if (data.affects_more !== void 0) {
      if (true !== data.affects_more) {
        const err25 = { instancePath: instancePath + "/affects_more", schemaPath: "#/properties/affects_more/const", keyword: "const", params: { allowedValue: true } };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
    }
    if (data.waits_for !== void 0) {
      let data14 = data.waits_for;
      if (Array.isArray(data14)) {
        const len4 = data14.length;
        for (let i4 = 0; i4 < len4; i4++) {
          if (typeof data14[i4] !== "string") {
            const err26 = { instancePath: instancePath + "/waits_for/" + i4, schemaPath: "#/properties/waits_for/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
      } else {
        const err27 = { instancePath: instancePath + "/waits_for", schemaPath: "#/properties/waits_for/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
    if (data.reads !== void 0) {
      let data16 = data.reads;
      if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
        for (const key2 in data16) {
          let data17 = data16[key2];
          if (typeof data17 !== "string" && data17 !== null) {
            const err28 = { instancePath: instancePath + "/reads/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/reads/additionalProperties/type", keyword: "type", params: { type: schema17.properties.reads.additionalProperties.type } };
            if (vErrors === null) {
              vErrors = [err28];
            } else {
              vErrors.push(err28);
            }
            errors++;
          }
        }
      } else {
        const err29 = { instancePath: instancePath + "/reads", schemaPath: "#/properties/reads/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err29];
        } else {
          vErrors.push(err29);
        }
        errors++;
      }
    }
    if (data.file !== void 0) {
      if (typeof data.file !== "string") {
        const err30 = { instancePath: instancePath + "/file", schemaPath: "#/properties/file/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
    if (data.body !== void 0) {
      let data19 = data.body;
      if (!(data19 && typeof data19 == "object" && !Array.isArray(data19))) {
        const err31 = { instancePath: instancePath + "/body", schemaPath: "#/properties/body/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err31];
        } else {
          vErrors.push(err31);
        }
        errors++;
      }
    }
    if (data.protect !== void 0) {
      if (typeof data.protect !== "boolean") {
        const err32 = { instancePath: instancePath + "/protect", schemaPath: "#/properties/protect/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err32];
        } else {
          vErrors.push(err32);
        }
        errors++;
      }
    }
    if (data.moved_from !== void 0) {
      let data21 = data.moved_from;
      if (Array.isArray(data21)) {
        const len5 = data21.length;
        for (let i5 = 0; i5 < len5; i5++) {
          if (typeof data21[i5] !== "string") {
            const err33 = { instancePath: instancePath + "/moved_from/" + i5, schemaPath: "#/properties/moved_from/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err33];
            } else {
              vErrors.push(err33);
            }
            errors++;
          }
        }
      } else {
        const err34 = { instancePath: instancePath + "/moved_from", schemaPath: "#/properties/moved_from/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err34];
        } else {
          vErrors.push(err34);
        }
        errors++;
      }
    }
    if (data.leaves !== void 0) {
      let data23 = data.leaves;
      if (!(typeof data23 == "number" && (!(data23 % 1) && !isNaN(data23)) && isFinite(data23))) {
        const err35 = { instancePath: instancePath + "/leaves", schemaPath: "#/properties/leaves/type", keyword: "type", params: { type: "integer" } };
        if (vErrors === null) {
          vErrors = [err35];
        } else {
          vErrors.push(err35);
        }
        errors++;
      }
    }
    if (data.requests !== void 0) {
      let data24 = data.requests;
      if (Array.isArray(data24)) {
        const len6 = data24.length;
        for (let i6 = 0; i6 < len6; i6++) {
          if (typeof data24[i6] !== "string") {
            const err36 = { instancePath: instancePath + "/requests/" + i6, schemaPath: "#/properties/requests/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err36];
            } else {
              vErrors.push(err36);
            }
            errors++;
          }
        }
      } else {
        const err37 = { instancePath: instancePath + "/requests", schemaPath: "#/properties/requests/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err37];
        } else {
          vErrors.push(err37);
        }
        errors++;
      }
    }
    if (data.fields !== void 0) {
      let data26 = data.fields;
      if (Array.isArray(data26)) {
        const len7 = data26.length;
        for (let i7 = 0; i7 < len7; i7++) {
          if (typeof data26[i7] !== "string") {
            const err38 = { instancePath: instancePath + "/fields/" + i7, schemaPath: "#/properties/fields/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err38];
            } else {
              vErrors.push(err38);
            }
            errors++;
          }
        }
      } else {
        const err39 = { instancePath: instancePath + "/fields", schemaPath: "#/properties/fields/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err39];
        } else {
          vErrors.push(err39);
        }
        errors++;
      }
    }
    if (data.adopted !== void 0) {
      let data28 = data.adopted;
      if (typeof data28 !== "string" && !Array.isArray(data28)) {
        const err40 = { instancePath: instancePath + "/adopted", schemaPath: "#/properties/adopted/type", keyword: "type", params: { type: schema17.properties.adopted.type } };
        if (vErrors === null) {
          vErrors = [err40];
        } else {
          vErrors.push(err40);
        }
        errors++;
      }
      if (Array.isArray(data28)) {
        const len8 = data28.length;
        for (let i8 = 0; i8 < len8; i8++) {
          if (typeof data28[i8] !== "string") {
            const err41 = { instancePath: instancePath + "/adopted/" + i8, schemaPath: "#/properties/adopted/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err41];
            } else {
              vErrors.push(err41);
            }
            errors++;
          }
        }
      }
    }
    if (data.ids !== void 0) {
      let data30 = data.ids;
      if (Array.isArray(data30)) {
        const len9 = data30.length;
        for (let i9 = 0; i9 < len9; i9++) {
          if (typeof data30[i9] !== "string") {
            const err42 = { instancePath: instancePath + "/ids/" + i9, schemaPath: "#/properties/ids/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err42];
            } else {
              vErrors.push(err42);
            }
            errors++;
          }
        }
      } else {
        const err43 = { instancePath: instancePath + "/ids", schemaPath: "#/properties/ids/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err43];
        } else {
          vErrors.push(err43);
        }
        errors++;
      }
    }
    if (data.from !== void 0) {
      if (typeof data.from !== "string") {
        const err44 = { instancePath: instancePath + "/from", schemaPath: "#/properties/from/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err44];
        } else {
          vErrors.push(err44);
        }
        errors++;
      }
    }
    if (data.tools !== void 0) {
      let data33 = data.tools;
      if (data33 && typeof data33 == "object" && !Array.isArray(data33)) {
        for (const key3 in data33) {
          if (typeof data33[key3] !== "string") {
            const err45 = { instancePath: instancePath + "/tools/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/tools/additionalProperties/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err45];
            } else {
              vErrors.push(err45);
            }
            errors++;
          }
        }
      } else {
        const err46 = { instancePath: instancePath + "/tools", schemaPath: "#/properties/tools/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err46];
        } else {
          vErrors.push(err46);
        }
        errors++;
      }
    }
    if (data.assumed !== void 0) {
      if (typeof data.assumed !== "boolean") {
        const err47 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err47];
        } else {
          vErrors.push(err47);
        }
        errors++;
      }
    }
  } else {
    const err48 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err48];
    } else {
      vErrors.push(err48);
    }
    errors++;
  }
  validate13.errors = vErrors;
  return errors === 0;
}
var schema19 = { "type": "object", "required": ["code", "severity", "message"], "additionalProperties": false, "properties": { "code": { "type": "string", "pattern": "^[a-z][a-z0-9-]*$" }, "severity": { "type": "string", "enum": ["error", "warning", "note"] }, "message": { "type": "string" }, "hint": { "type": "string" }, "address": { "type": "string" }, "file": { "type": "string" }, "line": { "type": "integer", "minimum": 1 }, "column": { "type": "integer", "minimum": 1 }, "end_line": { "type": "integer", "minimum": 1 }, "end_column": { "type": "integer", "minimum": 1 }, "related": { "type": "array", "items": { "$ref": "#/definitions/related" } } } };
var pattern1 = new RegExp("^[a-z][a-z0-9-]*$", "u");
function validate15(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.code === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "code" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.severity === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "severity" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.message === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "message" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!func2.call(schema19.properties, key0)) {
        const err3 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
    }
    if (data.code !== void 0) {
      let data0 = data.code;
      if (typeof data0 === "string") {
        if (!pattern1.test(data0)) {
          const err4 = { instancePath: instancePath + "/code", schemaPath: "#/properties/code/pattern", keyword: "pattern", params: { pattern: "^[a-z][a-z0-9-]*$" } };
          if (vErrors === null) {
            vErrors = [err4];
          } else {
            vErrors.push(err4);
          }
          errors++;
        }
      } else {
        const err5 = { instancePath: instancePath + "/code", schemaPath: "#/properties/code/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.severity !== void 0) {
      let data1 = data.severity;
      if (typeof data1 !== "string") {
        const err6 = { instancePath: instancePath + "/severity", schemaPath: "#/properties/severity/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
      if (!(data1 === "error" || data1 === "warning" || data1 === "note")) {
        const err7 = { instancePath: instancePath + "/severity", schemaPath: "#/properties/severity/enum", keyword: "enum", params: { allowedValues: schema19.properties.severity.enum } };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
    }
    if (data.message !== void 0) {
      if (typeof data.message !== "string") {
        const err8 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.hint !== void 0) {
      if (typeof data.hint !== "string") {
        const err9 = { instancePath: instancePath + "/hint", schemaPath: "#/properties/hint/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.address !== void 0) {
      if (typeof data.address !== "string") {
        const err10 = { instancePath: instancePath + "/address", schemaPath: "#/properties/address/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.file !== void 0) {
      if (typeof data.file !== "string") {
        const err11 = { instancePath: instancePath + "/file", schemaPath: "#/properties/file/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.line !== void 0) {
      let data6 = data.line;
      if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6))) {
        const err12 = { instancePath: instancePath + "/line", schemaPath: "#/properties/line/type", keyword: "type", params: { type: "integer" } };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
      if (typeof data6 == "number" && isFinite(data6)) {
        if (data6 < 1 || isNaN(data6)) {
          const err13 = { instancePath: instancePath + "/line", schemaPath: "#/properties/line/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 } };
          if (vErrors === null) {
            vErrors = [err13];
          } else {
            vErrors.push(err13);
          }
          errors++;
        }
      }
    }
    if (data.column !== void 0) {
      let data7 = data.column;
      if (!(typeof data7 == "number" && (!(data7 % 1) && !isNaN(data7)) && isFinite(data7))) {
        const err14 = { instancePath: instancePath + "/column", schemaPath: "#/properties/column/type", keyword: "type", params: { type: "integer" } };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
      if (typeof data7 == "number" && isFinite(data7)) {
        if (data7 < 1 || isNaN(data7)) {
          const err15 = { instancePath: instancePath + "/column", schemaPath: "#/properties/column/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 } };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
      }
    }
    if (data.end_line !== void 0) {
      let data8 = data.end_line;
      if (!(typeof data8 == "number" && (!(data8 % 1) && !isNaN(data8)) && isFinite(data8))) {
        const err16 = { instancePath: instancePath + "/end_line", schemaPath: "#/properties/end_line/type", keyword: "type", params: { type: "integer" } };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
      if (typeof data8 == "number" && isFinite(data8)) {
        if (data8 < 1 || isNaN(data8)) {
          const err17 = { instancePath: instancePath + "/end_line", schemaPath: "#/properties/end_line/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 } };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
      }
    }
    if (data.end_column !== void 0) {
      let data9 = data.end_column;
      if (!(typeof data9 == "number" && (!(data9 % 1) && !isNaN(data9)) && isFinite(data9))) {
        const err18 = { instancePath: instancePath + "/end_column", schemaPath: "#/properties/end_column/type", keyword: "type", params: { type: "integer" } };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
      if (typeof data9 == "number" && isFinite(data9)) {
        if (data9 < 1 || isNaN(data9)) {
          const err19 = { instancePath: instancePath + "/end_column", schemaPath: "#/properties/end_column/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 } };
          if (vErrors === null) {
            vErrors = [err19];
          } else {
            vErrors.push(err19);
          }
          errors++;
        }
      }
    }
    if (data.related !== void 0) {
      let data10 = data.related;
      if (Array.isArray(data10)) {
        const len0 = data10.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data11 = data10[i0];
          if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
            if (data11.message === void 0) {
              const err20 = { instancePath: instancePath + "/related/" + i0, schemaPath: "#/definitions/related/required", keyword: "required", params: { missingProperty: "message" } };
              if (vErrors === null) {
                vErrors = [err20];
              } else {
                vErrors.push(err20);
              }
              errors++;
            }
            for (const key1 in data11) {
              if (!(key1 === "message" || key1 === "file" || key1 === "line" || key1 === "column")) {
                const err21 = { instancePath: instancePath + "/related/" + i0, schemaPath: "#/definitions/related/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
                if (vErrors === null) {
                  vErrors = [err21];
                } else {
                  vErrors.push(err21);
                }
                errors++;
              }
            }
            if (data11.message !== void 0) {
              if (typeof data11.message !== "string") {
                const err22 = { instancePath: instancePath + "/related/" + i0 + "/message", schemaPath: "#/definitions/related/properties/message/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err22];
                } else {
                  vErrors.push(err22);
                }
                errors++;
              }
            }
            if (data11.file !== void 0) {
              if (typeof data11.file !== "string") {
                const err23 = { instancePath: instancePath + "/related/" + i0 + "/file", schemaPath: "#/definitions/related/properties/file/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            }
            if (data11.line !== void 0) {
              let data14 = data11.line;
              if (!(typeof data14 == "number" && (!(data14 % 1) && !isNaN(data14)) && isFinite(data14))) {
                const err24 = { instancePath: instancePath + "/related/" + i0 + "/line", schemaPath: "#/definitions/related/properties/line/type", keyword: "type", params: { type: "integer" } };
                if (vErrors === null) {
                  vErrors = [err24];
                } else {
                  vErrors.push(err24);
                }
                errors++;
              }
              if (typeof data14 == "number" && isFinite(data14)) {
                if (data14 < 1 || isNaN(data14)) {
                  const err25 = { instancePath: instancePath + "/related/" + i0 + "/line", schemaPath: "#/definitions/related/properties/line/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err25];
                  } else {
                    vErrors.push(err25);
                  }
                  errors++;
                }
              }
            }
            if (data11.column !== void 0) {
              let data15 = data11.column;
              if (!(typeof data15 == "number" && (!(data15 % 1) && !isNaN(data15)) && isFinite(data15))) {
                const err26 = { instancePath: instancePath + "/related/" + i0 + "/column", schemaPath: "#/definitions/related/properties/column/type", keyword: "type", params: { type: "integer" } };
                if (vErrors === null) {
                  vErrors = [err26];
                } else {
                  vErrors.push(err26);
                }
                errors++;
              }
              if (typeof data15 == "number" && isFinite(data15)) {
                if (data15 < 1 || isNaN(data15)) {
                  const err27 = { instancePath: instancePath + "/related/" + i0 + "/column", schemaPath: "#/definitions/related/properties/column/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err27];
                  } else {
                    vErrors.push(err27);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err28 = { instancePath: instancePath + "/related/" + i0, schemaPath: "#/definitions/related/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err28];
            } else {
              vErrors.push(err28);
            }
            errors++;
          }
        }
      } else {
        const err29 = { instancePath: instancePath + "/related", schemaPath: "#/properties/related/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err29];
        } else {
          vErrors.push(err29);
        }
        errors++;
      }
    }
  } else {
    const err30 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err30];
    } else {
      vErrors.push(err30);
    }
    errors++;
  }
  validate15.errors = vErrors;
  return errors === 0;
}
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.format === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "format" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.workspace === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "workspace" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.environment === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "environment" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.lock === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "lock" } };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.options === void 0) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "options" } };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    if (data.partial === void 0) {
      const err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "partial" } };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    if (data.digest === void 0) {
      const err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "digest" } };
      if (vErrors === null) {
        vErrors = [err6];
      } else {
        vErrors.push(err6);
      }
      errors++;
    }
    if (data.notes === void 0) {
      const err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "notes" } };
      if (vErrors === null) {
        vErrors = [err7];
      } else {
        vErrors.push(err7);
      }
      errors++;
    }
    if (data.actions === void 0) {
      const err8 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "actions" } };
      if (vErrors === null) {
        vErrors = [err8];
      } else {
        vErrors.push(err8);
      }
      errors++;
    }
    if (data.summary === void 0) {
      const err9 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "summary" } };
      if (vErrors === null) {
        vErrors = [err9];
      } else {
        vErrors.push(err9);
      }
      errors++;
    }
    if (data.diagnostics === void 0) {
      const err10 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "diagnostics" } };
      if (vErrors === null) {
        vErrors = [err10];
      } else {
        vErrors.push(err10);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!func2.call(schema11.properties, key0)) {
        const err11 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.format !== void 0) {
      if ("agentform/plan/v1" !== data.format) {
        const err12 = { instancePath: instancePath + "/format", schemaPath: "#/properties/format/const", keyword: "const", params: { allowedValue: "agentform/plan/v1" } };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.workspace !== void 0) {
      if (typeof data.workspace !== "string") {
        const err13 = { instancePath: instancePath + "/workspace", schemaPath: "#/properties/workspace/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
    if (data.environment !== void 0) {
      let data2 = data.environment;
      if (typeof data2 !== "string" && data2 !== null) {
        const err14 = { instancePath: instancePath + "/environment", schemaPath: "#/properties/environment/type", keyword: "type", params: { type: schema11.properties.environment.type } };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.lock !== void 0) {
      let data3 = data.lock;
      if (!(data3 && typeof data3 == "object" && !Array.isArray(data3)) && data3 !== null) {
        const err15 = { instancePath: instancePath + "/lock", schemaPath: "#/properties/lock/type", keyword: "type", params: { type: schema11.properties.lock.type } };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        if (data3.source === void 0) {
          const err16 = { instancePath: instancePath + "/lock", schemaPath: "#/properties/lock/required", keyword: "required", params: { missingProperty: "source" } };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
        if (data3.lineage === void 0) {
          const err17 = { instancePath: instancePath + "/lock", schemaPath: "#/properties/lock/required", keyword: "required", params: { missingProperty: "lineage" } };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
        if (data3.serial === void 0) {
          const err18 = { instancePath: instancePath + "/lock", schemaPath: "#/properties/lock/required", keyword: "required", params: { missingProperty: "serial" } };
          if (vErrors === null) {
            vErrors = [err18];
          } else {
            vErrors.push(err18);
          }
          errors++;
        }
        for (const key1 in data3) {
          if (!(key1 === "source" || key1 === "lineage" || key1 === "serial")) {
            const err19 = { instancePath: instancePath + "/lock", schemaPath: "#/properties/lock/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data3.source !== void 0) {
          if (typeof data3.source !== "string") {
            const err20 = { instancePath: instancePath + "/lock/source", schemaPath: "#/properties/lock/properties/source/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
        }
        if (data3.lineage !== void 0) {
          if (typeof data3.lineage !== "string") {
            const err21 = { instancePath: instancePath + "/lock/lineage", schemaPath: "#/properties/lock/properties/lineage/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
        if (data3.serial !== void 0) {
          let data6 = data3.serial;
          if (!(typeof data6 == "number" && (!(data6 % 1) && !isNaN(data6)) && isFinite(data6))) {
            const err22 = { instancePath: instancePath + "/lock/serial", schemaPath: "#/properties/lock/properties/serial/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
        }
      }
    }
    if (data.options !== void 0) {
      let data7 = data.options;
      if (!(data7 && typeof data7 == "object" && !Array.isArray(data7))) {
        const err23 = { instancePath: instancePath + "/options", schemaPath: "#/properties/options/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err23];
        } else {
          vErrors.push(err23);
        }
        errors++;
      }
    }
    if (data.partial !== void 0) {
      if (typeof data.partial !== "boolean") {
        const err24 = { instancePath: instancePath + "/partial", schemaPath: "#/properties/partial/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
    }
    if (data.digest !== void 0) {
      if (typeof data.digest !== "string") {
        const err25 = { instancePath: instancePath + "/digest", schemaPath: "#/properties/digest/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
    }
    if (data.state_changes !== void 0) {
      let data10 = data.state_changes;
      if (Array.isArray(data10)) {
        const len0 = data10.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (!validate11(data10[i0], { instancePath: instancePath + "/state_changes/" + i0, parentData: data10, parentDataProperty: i0, rootData })) {
            vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err26 = { instancePath: instancePath + "/state_changes", schemaPath: "#/properties/state_changes/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
    }
    if (data.settings !== void 0) {
      let data12 = data.settings;
      if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
        for (const key2 in data12) {
          if (!(key2 === "service" || key2 === "lock")) {
            const err27 = { instancePath: instancePath + "/settings", schemaPath: "#/definitions/settings/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 } };
            if (vErrors === null) {
              vErrors = [err27];
            } else {
              vErrors.push(err27);
            }
            errors++;
          }
        }
        if (data12.service !== void 0) {
          let data13 = data12.service;
          if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
            for (const key3 in data13) {
              if (!(key3 === "base_url" || key3 === "rai_base_url" || key3 === "api_key" || key3 === "field_names" || key3 === "tool_ids" || key3 === "id_pointers" || key3 === "rejected_statuses")) {
                const err28 = { instancePath: instancePath + "/settings/service", schemaPath: "#/definitions/settings/properties/service/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 } };
                if (vErrors === null) {
                  vErrors = [err28];
                } else {
                  vErrors.push(err28);
                }
                errors++;
              }
            }
            if (data13.base_url !== void 0) {
              if (typeof data13.base_url !== "string") {
                const err29 = { instancePath: instancePath + "/settings/service/base_url", schemaPath: "#/definitions/settings/properties/service/properties/base_url/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err29];
                } else {
                  vErrors.push(err29);
                }
                errors++;
              }
            }
            if (data13.rai_base_url !== void 0) {
              if (typeof data13.rai_base_url !== "string") {
                const err30 = { instancePath: instancePath + "/settings/service/rai_base_url", schemaPath: "#/definitions/settings/properties/service/properties/rai_base_url/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err30];
                } else {
                  vErrors.push(err30);
                }
                errors++;
              }
            }
            if (data13.api_key !== void 0) {
              if (typeof data13.api_key !== "string") {
                const err31 = { instancePath: instancePath + "/settings/service/api_key", schemaPath: "#/definitions/settings/properties/service/properties/api_key/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err31];
                } else {
                  vErrors.push(err31);
                }
                errors++;
              }
            }
            if (data13.field_names !== void 0) {
              let data17 = data13.field_names;
              if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
                for (const key4 in data17) {
                  if (typeof data17[key4] !== "string") {
                    const err32 = { instancePath: instancePath + "/settings/service/field_names/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/settings/properties/service/properties/field_names/additionalProperties/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err32];
                    } else {
                      vErrors.push(err32);
                    }
                    errors++;
                  }
                }
              } else {
                const err33 = { instancePath: instancePath + "/settings/service/field_names", schemaPath: "#/definitions/settings/properties/service/properties/field_names/type", keyword: "type", params: { type: "object" } };
                if (vErrors === null) {
                  vErrors = [err33];
                } else {
                  vErrors.push(err33);
                }
                errors++;
              }
            }
            if (data13.tool_ids !== void 0) {
              if (typeof data13.tool_ids !== "string") {
                const err34 = { instancePath: instancePath + "/settings/service/tool_ids", schemaPath: "#/definitions/settings/properties/service/properties/tool_ids/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err34];
                } else {
                  vErrors.push(err34);
                }
                errors++;
              }
            }
            if (data13.id_pointers !== void 0) {
              let data20 = data13.id_pointers;
              if (data20 && typeof data20 == "object" && !Array.isArray(data20)) {
                for (const key5 in data20) {
                  if (typeof data20[key5] !== "string") {
                    const err35 = { instancePath: instancePath + "/settings/service/id_pointers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/settings/properties/service/properties/id_pointers/additionalProperties/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err35];
                    } else {
                      vErrors.push(err35);
                    }
                    errors++;
                  }
                }
              } else {
                const err36 = { instancePath: instancePath + "/settings/service/id_pointers", schemaPath: "#/definitions/settings/properties/service/properties/id_pointers/type", keyword: "type", params: { type: "object" } };
                if (vErrors === null) {
                  vErrors = [err36];
                } else {
                  vErrors.push(err36);
                }
                errors++;
              }
            }
            if (data13.rejected_statuses !== void 0) {
              let data22 = data13.rejected_statuses;
              if (Array.isArray(data22)) {
                const len1 = data22.length;
                for (let i1 = 0; i1 < len1; i1++) {
                  let data23 = data22[i1];
                  if (!(typeof data23 == "number" && (!(data23 % 1) && !isNaN(data23)) && isFinite(data23))) {
                    const err37 = { instancePath: instancePath + "/settings/service/rejected_statuses/" + i1, schemaPath: "#/definitions/settings/properties/service/properties/rejected_statuses/items/type", keyword: "type", params: { type: "integer" } };
                    if (vErrors === null) {
                      vErrors = [err37];
                    } else {
                      vErrors.push(err37);
                    }
                    errors++;
                  }
                }
              } else {
                const err38 = { instancePath: instancePath + "/settings/service/rejected_statuses", schemaPath: "#/definitions/settings/properties/service/properties/rejected_statuses/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err38];
                } else {
                  vErrors.push(err38);
                }
                errors++;
              }
            }
          } else {
            const err39 = { instancePath: instancePath + "/settings/service", schemaPath: "#/definitions/settings/properties/service/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err39];
            } else {
              vErrors.push(err39);
            }
            errors++;
          }
        }
        if (data12.lock !== void 0) {
          let data24 = data12.lock;
          if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
            for (const key6 in data24) {
              if (!(key6 === "store" || key6 === "remote" || key6 === "ref")) {
                const err40 = { instancePath: instancePath + "/settings/lock", schemaPath: "#/definitions/settings/properties/lock/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 } };
                if (vErrors === null) {
                  vErrors = [err40];
                } else {
                  vErrors.push(err40);
                }
                errors++;
              }
            }
            if (data24.store !== void 0) {
              if (typeof data24.store !== "string") {
                const err41 = { instancePath: instancePath + "/settings/lock/store", schemaPath: "#/definitions/settings/properties/lock/properties/store/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err41];
                } else {
                  vErrors.push(err41);
                }
                errors++;
              }
            }
            if (data24.remote !== void 0) {
              if (typeof data24.remote !== "string") {
                const err42 = { instancePath: instancePath + "/settings/lock/remote", schemaPath: "#/definitions/settings/properties/lock/properties/remote/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err42];
                } else {
                  vErrors.push(err42);
                }
                errors++;
              }
            }
            if (data24.ref !== void 0) {
              if (typeof data24.ref !== "string") {
                const err43 = { instancePath: instancePath + "/settings/lock/ref", schemaPath: "#/definitions/settings/properties/lock/properties/ref/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err43];
                } else {
                  vErrors.push(err43);
                }
                errors++;
              }
            }
          } else {
            const err44 = { instancePath: instancePath + "/settings/lock", schemaPath: "#/definitions/settings/properties/lock/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err44];
            } else {
              vErrors.push(err44);
            }
            errors++;
          }
        }
      } else {
        const err45 = { instancePath: instancePath + "/settings", schemaPath: "#/definitions/settings/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err45];
        } else {
          vErrors.push(err45);
        }
        errors++;
      }
    }
    if (data.setting_changes !== void 0) {
      let data28 = data.setting_changes;
      if (Array.isArray(data28)) {
        const len2 = data28.length;
        for (let i2 = 0; i2 < len2; i2++) {
          let data29 = data28[i2];
          if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
            if (data29.path === void 0) {
              const err46 = { instancePath: instancePath + "/setting_changes/" + i2, schemaPath: "#/definitions/change/required", keyword: "required", params: { missingProperty: "path" } };
              if (vErrors === null) {
                vErrors = [err46];
              } else {
                vErrors.push(err46);
              }
              errors++;
            }
            for (const key7 in data29) {
              if (!(key7 === "path" || key7 === "before" || key7 === "after" || key7 === "order" || key7 === "outline" || key7 === "references")) {
                const err47 = { instancePath: instancePath + "/setting_changes/" + i2, schemaPath: "#/definitions/change/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 } };
                if (vErrors === null) {
                  vErrors = [err47];
                } else {
                  vErrors.push(err47);
                }
                errors++;
              }
            }
            if (data29.path !== void 0) {
              if (typeof data29.path !== "string") {
                const err48 = { instancePath: instancePath + "/setting_changes/" + i2 + "/path", schemaPath: "#/definitions/change/properties/path/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              }
            }
            if (data29.order !== void 0) {
              if (true !== data29.order) {
                const err49 = { instancePath: instancePath + "/setting_changes/" + i2 + "/order", schemaPath: "#/definitions/change/properties/order/const", keyword: "const", params: { allowedValue: true } };
                if (vErrors === null) {
                  vErrors = [err49];
                } else {
                  vErrors.push(err49);
                }
                errors++;
              }
            }
            if (data29.outline !== void 0) {
              if (true !== data29.outline) {
                const err50 = { instancePath: instancePath + "/setting_changes/" + i2 + "/outline", schemaPath: "#/definitions/change/properties/outline/const", keyword: "const", params: { allowedValue: true } };
                if (vErrors === null) {
                  vErrors = [err50];
                } else {
                  vErrors.push(err50);
                }
                errors++;
              }
            }
            if (data29.references !== void 0) {
              let data33 = data29.references;
              if (Array.isArray(data33)) {
                const len3 = data33.length;
                for (let i3 = 0; i3 < len3; i3++) {
                  if (typeof data33[i3] !== "string") {
                    const err51 = { instancePath: instancePath + "/setting_changes/" + i2 + "/references/" + i3, schemaPath: "#/definitions/change/properties/references/items/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err51];
                    } else {
                      vErrors.push(err51);
                    }
                    errors++;
                  }
                }
              } else {
                const err52 = { instancePath: instancePath + "/setting_changes/" + i2 + "/references", schemaPath: "#/definitions/change/properties/references/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err52];
                } else {
                  vErrors.push(err52);
                }
                errors++;
              }
            }
          } else {
            const err53 = { instancePath: instancePath + "/setting_changes/" + i2, schemaPath: "#/definitions/change/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err53];
            } else {
              vErrors.push(err53);
            }
            errors++;
          }
        }
      } else {
        const err54 = { instancePath: instancePath + "/setting_changes", schemaPath: "#/properties/setting_changes/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err54];
        } else {
          vErrors.push(err54);
        }
        errors++;
      }
    }
    if (data.notes !== void 0) {
      let data35 = data.notes;
      if (Array.isArray(data35)) {
        const len4 = data35.length;
        for (let i4 = 0; i4 < len4; i4++) {
          let data36 = data35[i4];
          if (data36 && typeof data36 == "object" && !Array.isArray(data36)) {
            if (data36.code === void 0) {
              const err55 = { instancePath: instancePath + "/notes/" + i4, schemaPath: "#/definitions/note/required", keyword: "required", params: { missingProperty: "code" } };
              if (vErrors === null) {
                vErrors = [err55];
              } else {
                vErrors.push(err55);
              }
              errors++;
            }
            if (data36.effect === void 0) {
              const err56 = { instancePath: instancePath + "/notes/" + i4, schemaPath: "#/definitions/note/required", keyword: "required", params: { missingProperty: "effect" } };
              if (vErrors === null) {
                vErrors = [err56];
              } else {
                vErrors.push(err56);
              }
              errors++;
            }
            if (data36.address === void 0) {
              const err57 = { instancePath: instancePath + "/notes/" + i4, schemaPath: "#/definitions/note/required", keyword: "required", params: { missingProperty: "address" } };
              if (vErrors === null) {
                vErrors = [err57];
              } else {
                vErrors.push(err57);
              }
              errors++;
            }
            if (data36.message === void 0) {
              const err58 = { instancePath: instancePath + "/notes/" + i4, schemaPath: "#/definitions/note/required", keyword: "required", params: { missingProperty: "message" } };
              if (vErrors === null) {
                vErrors = [err58];
              } else {
                vErrors.push(err58);
              }
              errors++;
            }
            for (const key8 in data36) {
              if (!(key8 === "code" || key8 === "effect" || key8 === "address" || key8 === "message" || key8 === "path")) {
                const err59 = { instancePath: instancePath + "/notes/" + i4, schemaPath: "#/definitions/note/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key8 } };
                if (vErrors === null) {
                  vErrors = [err59];
                } else {
                  vErrors.push(err59);
                }
                errors++;
              }
            }
            if (data36.code !== void 0) {
              if (typeof data36.code !== "string") {
                const err60 = { instancePath: instancePath + "/notes/" + i4 + "/code", schemaPath: "#/definitions/note/properties/code/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err60];
                } else {
                  vErrors.push(err60);
                }
                errors++;
              }
            }
            if (data36.effect !== void 0) {
              let data38 = data36.effect;
              if (typeof data38 !== "string") {
                const err61 = { instancePath: instancePath + "/notes/" + i4 + "/effect", schemaPath: "#/definitions/note/properties/effect/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err61];
                } else {
                  vErrors.push(err61);
                }
                errors++;
              }
              if (!(data38 === "weakens" || data38 === "widens")) {
                const err62 = { instancePath: instancePath + "/notes/" + i4 + "/effect", schemaPath: "#/definitions/note/properties/effect/enum", keyword: "enum", params: { allowedValues: schema16.properties.effect.enum } };
                if (vErrors === null) {
                  vErrors = [err62];
                } else {
                  vErrors.push(err62);
                }
                errors++;
              }
            }
            if (data36.address !== void 0) {
              if (typeof data36.address !== "string") {
                const err63 = { instancePath: instancePath + "/notes/" + i4 + "/address", schemaPath: "#/definitions/note/properties/address/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err63];
                } else {
                  vErrors.push(err63);
                }
                errors++;
              }
            }
            if (data36.message !== void 0) {
              if (typeof data36.message !== "string") {
                const err64 = { instancePath: instancePath + "/notes/" + i4 + "/message", schemaPath: "#/definitions/note/properties/message/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err64];
                } else {
                  vErrors.push(err64);
                }
                errors++;
              }
            }
            if (data36.path !== void 0) {
              if (typeof data36.path !== "string") {
                const err65 = { instancePath: instancePath + "/notes/" + i4 + "/path", schemaPath: "#/definitions/note/properties/path/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err65];
                } else {
                  vErrors.push(err65);
                }
                errors++;
              }
            }
          } else {
            const err66 = { instancePath: instancePath + "/notes/" + i4, schemaPath: "#/definitions/note/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err66];
            } else {
              vErrors.push(err66);
            }
            errors++;
          }
        }
      } else {
        const err67 = { instancePath: instancePath + "/notes", schemaPath: "#/properties/notes/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err67];
        } else {
          vErrors.push(err67);
        }
        errors++;
      }
    }
    if (data.actions !== void 0) {
      let data42 = data.actions;
      if (Array.isArray(data42)) {
        const len5 = data42.length;
        for (let i5 = 0; i5 < len5; i5++) {
          if (!validate13(data42[i5], { instancePath: instancePath + "/actions/" + i5, parentData: data42, parentDataProperty: i5, rootData })) {
            vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err68 = { instancePath: instancePath + "/actions", schemaPath: "#/properties/actions/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err68];
        } else {
          vErrors.push(err68);
        }
        errors++;
      }
    }
    if (data.summary !== void 0) {
      let data44 = data.summary;
      if (data44 && typeof data44 == "object" && !Array.isArray(data44)) {
        if (data44.create === void 0) {
          const err69 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/required", keyword: "required", params: { missingProperty: "create" } };
          if (vErrors === null) {
            vErrors = [err69];
          } else {
            vErrors.push(err69);
          }
          errors++;
        }
        if (data44.update === void 0) {
          const err70 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/required", keyword: "required", params: { missingProperty: "update" } };
          if (vErrors === null) {
            vErrors = [err70];
          } else {
            vErrors.push(err70);
          }
          errors++;
        }
        if (data44.replace === void 0) {
          const err71 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/required", keyword: "required", params: { missingProperty: "replace" } };
          if (vErrors === null) {
            vErrors = [err71];
          } else {
            vErrors.push(err71);
          }
          errors++;
        }
        if (data44.adopt === void 0) {
          const err72 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/required", keyword: "required", params: { missingProperty: "adopt" } };
          if (vErrors === null) {
            vErrors = [err72];
          } else {
            vErrors.push(err72);
          }
          errors++;
        }
        if (data44.forget === void 0) {
          const err73 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/required", keyword: "required", params: { missingProperty: "forget" } };
          if (vErrors === null) {
            vErrors = [err73];
          } else {
            vErrors.push(err73);
          }
          errors++;
        }
        if (data44.record === void 0) {
          const err74 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/required", keyword: "required", params: { missingProperty: "record" } };
          if (vErrors === null) {
            vErrors = [err74];
          } else {
            vErrors.push(err74);
          }
          errors++;
        }
        if (data44.unknown === void 0) {
          const err75 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/required", keyword: "required", params: { missingProperty: "unknown" } };
          if (vErrors === null) {
            vErrors = [err75];
          } else {
            vErrors.push(err75);
          }
          errors++;
        }
        if (data44.blocked === void 0) {
          const err76 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/required", keyword: "required", params: { missingProperty: "blocked" } };
          if (vErrors === null) {
            vErrors = [err76];
          } else {
            vErrors.push(err76);
          }
          errors++;
        }
        if (data44.unchanged === void 0) {
          const err77 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/required", keyword: "required", params: { missingProperty: "unchanged" } };
          if (vErrors === null) {
            vErrors = [err77];
          } else {
            vErrors.push(err77);
          }
          errors++;
        }
        for (const key9 in data44) {
          if (!func2.call(schema11.properties.summary.properties, key9)) {
            const err78 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key9 } };
            if (vErrors === null) {
              vErrors = [err78];
            } else {
              vErrors.push(err78);
            }
            errors++;
          }
        }
        if (data44.create !== void 0) {
          let data45 = data44.create;
          if (!(typeof data45 == "number" && (!(data45 % 1) && !isNaN(data45)) && isFinite(data45))) {
            const err79 = { instancePath: instancePath + "/summary/create", schemaPath: "#/properties/summary/properties/create/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err79];
            } else {
              vErrors.push(err79);
            }
            errors++;
          }
        }
        if (data44.update !== void 0) {
          let data46 = data44.update;
          if (!(typeof data46 == "number" && (!(data46 % 1) && !isNaN(data46)) && isFinite(data46))) {
            const err80 = { instancePath: instancePath + "/summary/update", schemaPath: "#/properties/summary/properties/update/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err80];
            } else {
              vErrors.push(err80);
            }
            errors++;
          }
        }
        if (data44.replace !== void 0) {
          let data47 = data44.replace;
          if (!(typeof data47 == "number" && (!(data47 % 1) && !isNaN(data47)) && isFinite(data47))) {
            const err81 = { instancePath: instancePath + "/summary/replace", schemaPath: "#/properties/summary/properties/replace/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err81];
            } else {
              vErrors.push(err81);
            }
            errors++;
          }
        }
        if (data44.adopt !== void 0) {
          let data48 = data44.adopt;
          if (!(typeof data48 == "number" && (!(data48 % 1) && !isNaN(data48)) && isFinite(data48))) {
            const err82 = { instancePath: instancePath + "/summary/adopt", schemaPath: "#/properties/summary/properties/adopt/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err82];
            } else {
              vErrors.push(err82);
            }
            errors++;
          }
        }
        if (data44.forget !== void 0) {
          let data49 = data44.forget;
          if (!(typeof data49 == "number" && (!(data49 % 1) && !isNaN(data49)) && isFinite(data49))) {
            const err83 = { instancePath: instancePath + "/summary/forget", schemaPath: "#/properties/summary/properties/forget/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err83];
            } else {
              vErrors.push(err83);
            }
            errors++;
          }
        }
        if (data44.record !== void 0) {
          let data50 = data44.record;
          if (!(typeof data50 == "number" && (!(data50 % 1) && !isNaN(data50)) && isFinite(data50))) {
            const err84 = { instancePath: instancePath + "/summary/record", schemaPath: "#/properties/summary/properties/record/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err84];
            } else {
              vErrors.push(err84);
            }
            errors++;
          }
        }
        if (data44.unknown !== void 0) {
          let data51 = data44.unknown;
          if (!(typeof data51 == "number" && (!(data51 % 1) && !isNaN(data51)) && isFinite(data51))) {
            const err85 = { instancePath: instancePath + "/summary/unknown", schemaPath: "#/properties/summary/properties/unknown/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err85];
            } else {
              vErrors.push(err85);
            }
            errors++;
          }
        }
        if (data44.blocked !== void 0) {
          let data52 = data44.blocked;
          if (!(typeof data52 == "number" && (!(data52 % 1) && !isNaN(data52)) && isFinite(data52))) {
            const err86 = { instancePath: instancePath + "/summary/blocked", schemaPath: "#/properties/summary/properties/blocked/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err86];
            } else {
              vErrors.push(err86);
            }
            errors++;
          }
        }
        if (data44.unchanged !== void 0) {
          let data53 = data44.unchanged;
          if (!(typeof data53 == "number" && (!(data53 % 1) && !isNaN(data53)) && isFinite(data53))) {
            const err87 = { instancePath: instancePath + "/summary/unchanged", schemaPath: "#/properties/summary/properties/unchanged/type", keyword: "type", params: { type: "integer" } };
            if (vErrors === null) {
              vErrors = [err87];
            } else {
              vErrors.push(err87);
            }
            errors++;
          }
        }
      } else {
        const err88 = { instancePath: instancePath + "/summary", schemaPath: "#/properties/summary/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err88];
        } else {
          vErrors.push(err88);
        }
        errors++;
      }
    }
    if (data.diagnostics !== void 0) {
      let data54 = data.diagnostics;
      if (Array.isArray(data54)) {
        const len6 = data54.length;
        for (let i6 = 0; i6 < len6; i6++) {
          if (!validate15(data54[i6], { instancePath: instancePath + "/diagnostics/" + i6, parentData: data54, parentDataProperty: i6, rootData })) {
            vErrors = vErrors === null ? validate15.errors : vErrors.concat(validate15.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err89 = { instancePath: instancePath + "/diagnostics", schemaPath: "#/properties/diagnostics/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err89];
        } else {
          vErrors.push(err89);
        }
        errors++;
      }
    }
    if (data.documents !== void 0) {
      let data56 = data.documents;
      if (data56 && typeof data56 == "object" && !Array.isArray(data56)) {
        for (const key10 in data56) {
          const _errs122 = errors;
          if (typeof key10 === "string") {
            if (!pattern0.test(key10)) {
              const err90 = { instancePath: instancePath + "/documents", schemaPath: "#/properties/documents/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, propertyName: key10 };
              if (vErrors === null) {
                vErrors = [err90];
              } else {
                vErrors.push(err90);
              }
              errors++;
            }
          }
          var valid27 = _errs122 === errors;
          if (!valid27) {
            const err91 = { instancePath: instancePath + "/documents", schemaPath: "#/properties/documents/propertyNames", keyword: "propertyNames", params: { propertyName: key10 } };
            if (vErrors === null) {
              vErrors = [err91];
            } else {
              vErrors.push(err91);
            }
            errors++;
          }
        }
        for (const key11 in data56) {
          let data57 = data56[key11];
          if (!(data57 && typeof data57 == "object" && !Array.isArray(data57))) {
            const err92 = { instancePath: instancePath + "/documents/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/documents/additionalProperties/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err92];
            } else {
              vErrors.push(err92);
            }
            errors++;
          }
        }
      } else {
        const err93 = { instancePath: instancePath + "/documents", schemaPath: "#/properties/documents/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err93];
        } else {
          vErrors.push(err93);
        }
        errors++;
      }
    }
    if (data.checksum !== void 0) {
      if (typeof data.checksum !== "string") {
        const err94 = { instancePath: instancePath + "/checksum", schemaPath: "#/properties/checksum/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err94];
        } else {
          vErrors.push(err94);
        }
        errors++;
      }
    }
  } else {
    const err95 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err95];
    } else {
      vErrors.push(err95);
    }
    errors++;
  }
  validate10.errors = vErrors;
  return errors === 0;
}

function validate2(value) {
  const valid = validate(value);
  validate2.errors = valid ? null : validate.errors.filter((error) => error.keyword !== "if");
  return valid;
}
export {
  validate2 as validate
};
