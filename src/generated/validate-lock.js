// Generated from schemas/lock.schema.json; do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __run() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

var require_ucs2length = __commonJS({
  "ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
  }
});

var validate = validate10;
var schema11 = { "type": "object", "required": ["format", "workspace", "environment", "lineage", "serial", "resources", "retired", "unknown"], "additionalProperties": false, "properties": { "format": { "const": "agentform/lock/v1" }, "workspace": { "type": "string" }, "environment": { "type": ["string", "null"] }, "lineage": { "type": "string", "minLength": 1 }, "serial": { "type": "integer", "minimum": 0, "maximum": 9007199254740991 }, "writes": { "type": "string", "pattern": "^[0-9A-Za-z-]{1,64}( [0-9A-Za-z-]{1,64})*$" }, "service": { "$ref": "#/definitions/service" }, "settings": { "$ref": "#/definitions/settings" }, "resources": { "type": "object", "additionalProperties": { "$ref": "#/definitions/entry" }, "propertyNames": { "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" } }, "retired": { "type": "object", "additionalProperties": { "$ref": "#/definitions/retired" } }, "unknown": { "type": "object", "additionalProperties": { "$ref": "#/definitions/unknown" }, "propertyNames": { "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" } } }, "definitions": { "service": { "type": "object", "required": ["base_url"], "additionalProperties": false, "properties": { "base_url": { "type": "string" }, "rai_base_url": { "type": "string" } } }, "settings": { "type": "object", "additionalProperties": false, "properties": { "service": { "type": "object", "additionalProperties": false, "properties": { "base_url": { "type": "string" }, "rai_base_url": { "type": "string" }, "api_key": { "type": "string" }, "field_names": { "type": "object", "additionalProperties": { "type": "string" } }, "tool_ids": { "type": "string" }, "id_pointers": { "type": "object", "additionalProperties": { "type": "string" } }, "rejected_statuses": { "type": "array", "items": { "type": "integer" } } } }, "lock": { "type": "object", "additionalProperties": false, "properties": { "store": { "type": "string" }, "remote": { "type": "string" }, "ref": { "type": "string" } } } } }, "references": { "type": "object", "additionalProperties": { "type": ["string", "array"], "items": { "type": "string" } } }, "entry": { "type": "object", "required": ["body", "digest"], "additionalProperties": false, "properties": { "id": { "type": "string", "minLength": 1 }, "ids": { "type": "array", "items": { "type": "string" } }, "tools": { "type": "object", "additionalProperties": { "type": "string" } }, "candidates": { "type": "array", "items": { "type": "object", "additionalProperties": { "type": "string" } } }, "body": { "type": "object" }, "references": { "$ref": "#/definitions/references" }, "digest": { "type": "string" }, "write": { "type": "string" }, "file": { "type": "string" }, "protect": { "type": "boolean" }, "adopted": { "type": ["string", "array"], "items": { "type": "string" } }, "assumed": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } }, "uncertain": { "type": "boolean" }, "attempted": { "type": "object" } } }, "retired": { "type": "object", "required": ["address", "reason"], "additionalProperties": false, "properties": { "address": { "type": "string", "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, "operation": { "type": "string" }, "reason": { "type": "string", "enum": ["replaced", "forgotten"] }, "body": { "type": "object" }, "used_by": { "type": "array", "items": { "type": "string" } } } }, "unknown": { "type": "object", "required": ["operation", "since", "method", "path", "body", "digest"], "additionalProperties": false, "properties": { "operation": { "type": "string", "enum": ["create", "replace"] }, "since": { "type": "string" }, "method": { "type": "string" }, "path": { "type": "string" }, "status": { "type": "integer" }, "request_id": { "type": "string" }, "message": { "type": "string" }, "answer": { "type": "string" }, "ids": { "type": "array", "items": { "type": "string" } }, "tools": { "type": "object", "additionalProperties": { "type": "string" } }, "body": { "type": "object" }, "references": { "$ref": "#/definitions/references" }, "found": { "type": "object", "additionalProperties": { "type": "string" } }, "digest": { "type": "string" }, "file": { "type": "string" }, "protect": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } } } } } };
var schema16 = { "type": "object", "required": ["address", "reason"], "additionalProperties": false, "properties": { "address": { "type": "string", "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, "operation": { "type": "string" }, "reason": { "type": "string", "enum": ["replaced", "forgotten"] }, "body": { "type": "object" }, "used_by": { "type": "array", "items": { "type": "string" } } } };
var func2 = Object.prototype.hasOwnProperty;
var func3 = require_ucs2length().default;
var pattern0 = new RegExp("^[0-9A-Za-z-]{1,64}( [0-9A-Za-z-]{1,64})*$", "u");
var pattern1 = new RegExp("^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$", "u");
var schema14 = { "type": "object", "required": ["body", "digest"], "additionalProperties": false, "properties": { "id": { "type": "string", "minLength": 1 }, "ids": { "type": "array", "items": { "type": "string" } }, "tools": { "type": "object", "additionalProperties": { "type": "string" } }, "candidates": { "type": "array", "items": { "type": "object", "additionalProperties": { "type": "string" } } }, "body": { "type": "object" }, "references": { "$ref": "#/definitions/references" }, "digest": { "type": "string" }, "write": { "type": "string" }, "file": { "type": "string" }, "protect": { "type": "boolean" }, "adopted": { "type": ["string", "array"], "items": { "type": "string" } }, "assumed": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } }, "uncertain": { "type": "boolean" }, "attempted": { "type": "object" } } };
var schema15 = { "type": "object", "additionalProperties": { "type": ["string", "array"], "items": { "type": "string" } } };
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.body === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.digest === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "digest" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!func2.call(schema14.properties, key0)) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.id !== void 0) {
      let data0 = data.id;
      if (typeof data0 === "string") {
        if (func3(data0) < 1) {
          const err3 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/minLength", keyword: "minLength", params: { limit: 1 } };
          if (vErrors === null) {
            vErrors = [err3];
          } else {
            vErrors.push(err3);
          }
          errors++;
        }
      } else {
        const err4 = { instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.ids !== void 0) {
      let data1 = data.ids;
      if (Array.isArray(data1)) {
        const len0 = data1.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (typeof data1[i0] !== "string") {
            const err5 = { instancePath: instancePath + "/ids/" + i0, schemaPath: "#/properties/ids/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
      } else {
        const err6 = { instancePath: instancePath + "/ids", schemaPath: "#/properties/ids/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.tools !== void 0) {
      let data3 = data.tools;
      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
        for (const key1 in data3) {
          if (typeof data3[key1] !== "string") {
            const err7 = { instancePath: instancePath + "/tools/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/tools/additionalProperties/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err7];
            } else {
              vErrors.push(err7);
            }
            errors++;
          }
        }
      } else {
        const err8 = { instancePath: instancePath + "/tools", schemaPath: "#/properties/tools/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.candidates !== void 0) {
      let data5 = data.candidates;
      if (Array.isArray(data5)) {
        const len1 = data5.length;
        for (let i1 = 0; i1 < len1; i1++) {
          let data6 = data5[i1];
          if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
            for (const key2 in data6) {
              if (typeof data6[key2] !== "string") {
                const err9 = { instancePath: instancePath + "/candidates/" + i1 + "/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/candidates/items/additionalProperties/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err9];
                } else {
                  vErrors.push(err9);
                }
                errors++;
              }
            }
          } else {
            const err10 = { instancePath: instancePath + "/candidates/" + i1, schemaPath: "#/properties/candidates/items/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/candidates", schemaPath: "#/properties/candidates/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.body !== void 0) {
      let data8 = data.body;
      if (!(data8 && typeof data8 == "object" && !Array.isArray(data8))) {
        const err12 = { instancePath: instancePath + "/body", schemaPath: "#/properties/body/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.references !== void 0) {
      let data9 = data.references;
      if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
        for (const key3 in data9) {
          let data10 = data9[key3];
          if (typeof data10 !== "string" && !Array.isArray(data10)) {
            const err13 = { instancePath: instancePath + "/references/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/references/additionalProperties/type", keyword: "type", params: { type: schema15.additionalProperties.type } };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
          if (Array.isArray(data10)) {
            const len2 = data10.length;
            for (let i2 = 0; i2 < len2; i2++) {
              if (typeof data10[i2] !== "string") {
                const err14 = { instancePath: instancePath + "/references/" + key3.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i2, schemaPath: "#/definitions/references/additionalProperties/items/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err14];
                } else {
                  vErrors.push(err14);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err15 = { instancePath: instancePath + "/references", schemaPath: "#/definitions/references/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.digest !== void 0) {
      if (typeof data.digest !== "string") {
        const err16 = { instancePath: instancePath + "/digest", schemaPath: "#/properties/digest/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
    if (data.write !== void 0) {
      if (typeof data.write !== "string") {
        const err17 = { instancePath: instancePath + "/write", schemaPath: "#/properties/write/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
    }
    if (data.file !== void 0) {
      if (typeof data.file !== "string") {
        const err18 = { instancePath: instancePath + "/file", schemaPath: "#/properties/file/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
    if (data.protect !== void 0) {
      if (typeof data.protect !== "boolean") {
        const err19 = { instancePath: instancePath + "/protect", schemaPath: "#/properties/protect/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err19];
        } else {
          vErrors.push(err19);
        }
        errors++;
      }
    }
    if (data.adopted !== void 0) {
      let data16 = data.adopted;
      if (typeof data16 !== "string" && !Array.isArray(data16)) {
        const err20 = { instancePath: instancePath + "/adopted", schemaPath: "#/properties/adopted/type", keyword: "type", params: { type: schema14.properties.adopted.type } };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
      if (Array.isArray(data16)) {
        const len3 = data16.length;
        for (let i3 = 0; i3 < len3; i3++) {
          if (typeof data16[i3] !== "string") {
            const err21 = { instancePath: instancePath + "/adopted/" + i3, schemaPath: "#/properties/adopted/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
      }
    }
    if (data.assumed !== void 0) {
      if (typeof data.assumed !== "boolean") {
        const err22 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
    if (data.moved_from !== void 0) {
      let data19 = data.moved_from;
      if (Array.isArray(data19)) {
        const len4 = data19.length;
        for (let i4 = 0; i4 < len4; i4++) {
          if (typeof data19[i4] !== "string") {
            const err23 = { instancePath: instancePath + "/moved_from/" + i4, schemaPath: "#/properties/moved_from/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err23];
            } else {
              vErrors.push(err23);
            }
            errors++;
          }
        }
      } else {
        const err24 = { instancePath: instancePath + "/moved_from", schemaPath: "#/properties/moved_from/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err24];
        } else {
          vErrors.push(err24);
        }
        errors++;
      }
    }
    if (data.uncertain !== void 0) {
      if (typeof data.uncertain !== "boolean") {
        const err25 = { instancePath: instancePath + "/uncertain", schemaPath: "#/properties/uncertain/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
    }
    if (data.attempted !== void 0) {
      let data22 = data.attempted;
      if (!(data22 && typeof data22 == "object" && !Array.isArray(data22))) {
        const err26 = { instancePath: instancePath + "/attempted", schemaPath: "#/properties/attempted/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
    }
  } else {
    const err27 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err27];
    } else {
      vErrors.push(err27);
    }
    errors++;
  }
  validate11.errors = vErrors;
  return errors === 0;
}
var schema17 = { "type": "object", "required": ["operation", "since", "method", "path", "body", "digest"], "additionalProperties": false, "properties": { "operation": { "type": "string", "enum": ["create", "replace"] }, "since": { "type": "string" }, "method": { "type": "string" }, "path": { "type": "string" }, "status": { "type": "integer" }, "request_id": { "type": "string" }, "message": { "type": "string" }, "answer": { "type": "string" }, "ids": { "type": "array", "items": { "type": "string" } }, "tools": { "type": "object", "additionalProperties": { "type": "string" } }, "body": { "type": "object" }, "references": { "$ref": "#/definitions/references" }, "found": { "type": "object", "additionalProperties": { "type": "string" } }, "digest": { "type": "string" }, "file": { "type": "string" }, "protect": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } } } };
function validate13(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.operation === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "operation" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.since === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "since" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.method === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "method" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.path === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "path" } };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.body === void 0) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "body" } };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    if (data.digest === void 0) {
      const err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "digest" } };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!func2.call(schema17.properties, key0)) {
        const err6 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.operation !== void 0) {
      let data0 = data.operation;
      if (typeof data0 !== "string") {
        const err7 = { instancePath: instancePath + "/operation", schemaPath: "#/properties/operation/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err7];
        } else {
          vErrors.push(err7);
        }
        errors++;
      }
      if (!(data0 === "create" || data0 === "replace")) {
        const err8 = { instancePath: instancePath + "/operation", schemaPath: "#/properties/operation/enum", keyword: "enum", params: { allowedValues: schema17.properties.operation.enum } };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.since !== void 0) {
      if (typeof data.since !== "string") {
        const err9 = { instancePath: instancePath + "/since", schemaPath: "#/properties/since/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.method !== void 0) {
      if (typeof data.method !== "string") {
        const err10 = { instancePath: instancePath + "/method", schemaPath: "#/properties/method/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.path !== void 0) {
      if (typeof data.path !== "string") {
        const err11 = { instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.status !== void 0) {
      let data4 = data.status;
      if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
        const err12 = { instancePath: instancePath + "/status", schemaPath: "#/properties/status/type", keyword: "type", params: { type: "integer" } };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.request_id !== void 0) {
      if (typeof data.request_id !== "string") {
        const err13 = { instancePath: instancePath + "/request_id", schemaPath: "#/properties/request_id/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
    if (data.message !== void 0) {
      if (typeof data.message !== "string") {
        const err14 = { instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.answer !== void 0) {
      if (typeof data.answer !== "string") {
        const err15 = { instancePath: instancePath + "/answer", schemaPath: "#/properties/answer/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.ids !== void 0) {
      let data8 = data.ids;
      if (Array.isArray(data8)) {
        const len0 = data8.length;
        for (let i0 = 0; i0 < len0; i0++) {
          if (typeof data8[i0] !== "string") {
            const err16 = { instancePath: instancePath + "/ids/" + i0, schemaPath: "#/properties/ids/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err16];
            } else {
              vErrors.push(err16);
            }
            errors++;
          }
        }
      } else {
        const err17 = { instancePath: instancePath + "/ids", schemaPath: "#/properties/ids/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err17];
        } else {
          vErrors.push(err17);
        }
        errors++;
      }
    }
    if (data.tools !== void 0) {
      let data10 = data.tools;
      if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
        for (const key1 in data10) {
          if (typeof data10[key1] !== "string") {
            const err18 = { instancePath: instancePath + "/tools/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/tools/additionalProperties/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
      } else {
        const err19 = { instancePath: instancePath + "/tools", schemaPath: "#/properties/tools/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err19];
        } else {
          vErrors.push(err19);
        }
        errors++;
      }
    }
    if (data.body !== void 0) {
      let data12 = data.body;
      if (!(data12 && typeof data12 == "object" && !Array.isArray(data12))) {
        const err20 = { instancePath: instancePath + "/body", schemaPath: "#/properties/body/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
    if (data.references !== void 0) {
      let data13 = data.references;
      if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
        for (const key2 in data13) {
          let data14 = data13[key2];
          if (typeof data14 !== "string" && !Array.isArray(data14)) {
            const err21 = { instancePath: instancePath + "/references/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/references/additionalProperties/type", keyword: "type", params: { type: schema15.additionalProperties.type } };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
          if (Array.isArray(data14)) {
            const len1 = data14.length;
            for (let i1 = 0; i1 < len1; i1++) {
              if (typeof data14[i1] !== "string") {
                const err22 = { instancePath: instancePath + "/references/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i1, schemaPath: "#/definitions/references/additionalProperties/items/type", keyword: "type", params: { type: "string" } };
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
      } else {
        const err23 = { instancePath: instancePath + "/references", schemaPath: "#/definitions/references/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err23];
        } else {
          vErrors.push(err23);
        }
        errors++;
      }
    }
    if (data.found !== void 0) {
      let data16 = data.found;
      if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
        for (const key3 in data16) {
          if (typeof data16[key3] !== "string") {
            const err24 = { instancePath: instancePath + "/found/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/found/additionalProperties/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
      } else {
        const err25 = { instancePath: instancePath + "/found", schemaPath: "#/properties/found/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err25];
        } else {
          vErrors.push(err25);
        }
        errors++;
      }
    }
    if (data.digest !== void 0) {
      if (typeof data.digest !== "string") {
        const err26 = { instancePath: instancePath + "/digest", schemaPath: "#/properties/digest/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err26];
        } else {
          vErrors.push(err26);
        }
        errors++;
      }
    }
    if (data.file !== void 0) {
      if (typeof data.file !== "string") {
        const err27 = { instancePath: instancePath + "/file", schemaPath: "#/properties/file/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err27];
        } else {
          vErrors.push(err27);
        }
        errors++;
      }
    }
    if (data.protect !== void 0) {
      if (typeof data.protect !== "boolean") {
        const err28 = { instancePath: instancePath + "/protect", schemaPath: "#/properties/protect/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
    }
    if (data.moved_from !== void 0) {
      let data21 = data.moved_from;
      if (Array.isArray(data21)) {
        const len2 = data21.length;
        for (let i2 = 0; i2 < len2; i2++) {
          if (typeof data21[i2] !== "string") {
            const err29 = { instancePath: instancePath + "/moved_from/" + i2, schemaPath: "#/properties/moved_from/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err29];
            } else {
              vErrors.push(err29);
            }
            errors++;
          }
        }
      } else {
        const err30 = { instancePath: instancePath + "/moved_from", schemaPath: "#/properties/moved_from/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
  } else {
    const err31 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err31];
    } else {
      vErrors.push(err31);
    }
    errors++;
  }
  validate13.errors = vErrors;
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
    if (data.lineage === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "lineage" } };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    if (data.serial === void 0) {
      const err4 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "serial" } };
      if (vErrors === null) {
        vErrors = [err4];
      } else {
        vErrors.push(err4);
      }
      errors++;
    }
    if (data.resources === void 0) {
      const err5 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "resources" } };
      if (vErrors === null) {
        vErrors = [err5];
      } else {
        vErrors.push(err5);
      }
      errors++;
    }
    if (data.retired === void 0) {
      const err6 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "retired" } };
      if (vErrors === null) {
        vErrors = [err6];
      } else {
        vErrors.push(err6);
      }
      errors++;
    }
    if (data.unknown === void 0) {
      const err7 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "unknown" } };
      if (vErrors === null) {
        vErrors = [err7];
      } else {
        vErrors.push(err7);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!func2.call(schema11.properties, key0)) {
        const err8 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.format !== void 0) {
      if ("agentform/lock/v1" !== data.format) {
        const err9 = { instancePath: instancePath + "/format", schemaPath: "#/properties/format/const", keyword: "const", params: { allowedValue: "agentform/lock/v1" } };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.workspace !== void 0) {
      if (typeof data.workspace !== "string") {
        const err10 = { instancePath: instancePath + "/workspace", schemaPath: "#/properties/workspace/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.environment !== void 0) {
      let data2 = data.environment;
      if (typeof data2 !== "string" && data2 !== null) {
        const err11 = { instancePath: instancePath + "/environment", schemaPath: "#/properties/environment/type", keyword: "type", params: { type: schema11.properties.environment.type } };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.lineage !== void 0) {
      let data3 = data.lineage;
      if (typeof data3 === "string") {
        if (func3(data3) < 1) {
          const err12 = { instancePath: instancePath + "/lineage", schemaPath: "#/properties/lineage/minLength", keyword: "minLength", params: { limit: 1 } };
          if (vErrors === null) {
            vErrors = [err12];
          } else {
            vErrors.push(err12);
          }
          errors++;
        }
      } else {
        const err13 = { instancePath: instancePath + "/lineage", schemaPath: "#/properties/lineage/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
    if (data.serial !== void 0) {
      let data4 = data.serial;
      if (!(typeof data4 == "number" && (!(data4 % 1) && !isNaN(data4)) && isFinite(data4))) {
        const err14 = { instancePath: instancePath + "/serial", schemaPath: "#/properties/serial/type", keyword: "type", params: { type: "integer" } };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
      if (typeof data4 == "number" && isFinite(data4)) {
        if (data4 > 9007199254740991 || isNaN(data4)) {
          const err15 = { instancePath: instancePath + "/serial", schemaPath: "#/properties/serial/maximum", keyword: "maximum", params: { comparison: "<=", limit: 9007199254740991 } };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
        if (data4 < 0 || isNaN(data4)) {
          const err16 = { instancePath: instancePath + "/serial", schemaPath: "#/properties/serial/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 } };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
      }
    }
    if (data.writes !== void 0) {
      let data5 = data.writes;
      if (typeof data5 === "string") {
        if (!pattern0.test(data5)) {
          const err17 = { instancePath: instancePath + "/writes", schemaPath: "#/properties/writes/pattern", keyword: "pattern", params: { pattern: "^[0-9A-Za-z-]{1,64}( [0-9A-Za-z-]{1,64})*$" } };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
      } else {
        const err18 = { instancePath: instancePath + "/writes", schemaPath: "#/properties/writes/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
    if (data.service !== void 0) {
      let data6 = data.service;
      if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
        if (data6.base_url === void 0) {
          const err19 = { instancePath: instancePath + "/service", schemaPath: "#/definitions/service/required", keyword: "required", params: { missingProperty: "base_url" } };
          if (vErrors === null) {
            vErrors = [err19];
          } else {
            vErrors.push(err19);
          }
          errors++;
        }
        for (const key1 in data6) {
          if (!(key1 === "base_url" || key1 === "rai_base_url")) {
            const err20 = { instancePath: instancePath + "/service", schemaPath: "#/definitions/service/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            if (vErrors === null) {
              vErrors = [err20];
            } else {
              vErrors.push(err20);
            }
            errors++;
          }
        }
        if (data6.base_url !== void 0) {
          if (typeof data6.base_url !== "string") {
            const err21 = { instancePath: instancePath + "/service/base_url", schemaPath: "#/definitions/service/properties/base_url/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err21];
            } else {
              vErrors.push(err21);
            }
            errors++;
          }
        }
        if (data6.rai_base_url !== void 0) {
          if (typeof data6.rai_base_url !== "string") {
            const err22 = { instancePath: instancePath + "/service/rai_base_url", schemaPath: "#/definitions/service/properties/rai_base_url/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
        }
      } else {
        const err23 = { instancePath: instancePath + "/service", schemaPath: "#/definitions/service/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err23];
        } else {
          vErrors.push(err23);
        }
        errors++;
      }
    }
    if (data.settings !== void 0) {
      let data9 = data.settings;
      if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
        for (const key2 in data9) {
          if (!(key2 === "service" || key2 === "lock")) {
            const err24 = { instancePath: instancePath + "/settings", schemaPath: "#/definitions/settings/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 } };
            if (vErrors === null) {
              vErrors = [err24];
            } else {
              vErrors.push(err24);
            }
            errors++;
          }
        }
        if (data9.service !== void 0) {
          let data10 = data9.service;
          if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
            for (const key3 in data10) {
              if (!(key3 === "base_url" || key3 === "rai_base_url" || key3 === "api_key" || key3 === "field_names" || key3 === "tool_ids" || key3 === "id_pointers" || key3 === "rejected_statuses")) {
                const err25 = { instancePath: instancePath + "/settings/service", schemaPath: "#/definitions/settings/properties/service/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 } };
                if (vErrors === null) {
                  vErrors = [err25];
                } else {
                  vErrors.push(err25);
                }
                errors++;
              }
            }
            if (data10.base_url !== void 0) {
              if (typeof data10.base_url !== "string") {
                const err26 = { instancePath: instancePath + "/settings/service/base_url", schemaPath: "#/definitions/settings/properties/service/properties/base_url/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err26];
                } else {
                  vErrors.push(err26);
                }
                errors++;
              }
            }
            if (data10.rai_base_url !== void 0) {
              if (typeof data10.rai_base_url !== "string") {
                const err27 = { instancePath: instancePath + "/settings/service/rai_base_url", schemaPath: "#/definitions/settings/properties/service/properties/rai_base_url/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err27];
                } else {
                  vErrors.push(err27);
                }
                errors++;
              }
            }
            if (data10.api_key !== void 0) {
              if (typeof data10.api_key !== "string") {
                const err28 = { instancePath: instancePath + "/settings/service/api_key", schemaPath: "#/definitions/settings/properties/service/properties/api_key/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err28];
                } else {
                  vErrors.push(err28);
                }
                errors++;
              }
            }
            if (data10.field_names !== void 0) {
              let data14 = data10.field_names;
              if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
                for (const key4 in data14) {
                  if (typeof data14[key4] !== "string") {
                    const err29 = { instancePath: instancePath + "/settings/service/field_names/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/settings/properties/service/properties/field_names/additionalProperties/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err29];
                    } else {
                      vErrors.push(err29);
                    }
                    errors++;
                  }
                }
              } else {
                const err30 = { instancePath: instancePath + "/settings/service/field_names", schemaPath: "#/definitions/settings/properties/service/properties/field_names/type", keyword: "type", params: { type: "object" } };
                if (vErrors === null) {
                  vErrors = [err30];
                } else {
                  vErrors.push(err30);
                }
                errors++;
              }
            }
            if (data10.tool_ids !== void 0) {
              if (typeof data10.tool_ids !== "string") {
                const err31 = { instancePath: instancePath + "/settings/service/tool_ids", schemaPath: "#/definitions/settings/properties/service/properties/tool_ids/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err31];
                } else {
                  vErrors.push(err31);
                }
                errors++;
              }
            }
            if (data10.id_pointers !== void 0) {
              let data17 = data10.id_pointers;
              if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
                for (const key5 in data17) {
                  if (typeof data17[key5] !== "string") {
                    const err32 = { instancePath: instancePath + "/settings/service/id_pointers/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/settings/properties/service/properties/id_pointers/additionalProperties/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err32];
                    } else {
                      vErrors.push(err32);
                    }
                    errors++;
                  }
                }
              } else {
                const err33 = { instancePath: instancePath + "/settings/service/id_pointers", schemaPath: "#/definitions/settings/properties/service/properties/id_pointers/type", keyword: "type", params: { type: "object" } };
                if (vErrors === null) {
                  vErrors = [err33];
                } else {
                  vErrors.push(err33);
                }
                errors++;
              }
            }
            if (data10.rejected_statuses !== void 0) {
              let data19 = data10.rejected_statuses;
              if (Array.isArray(data19)) {
                const len0 = data19.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data20 = data19[i0];
                  if (!(typeof data20 == "number" && (!(data20 % 1) && !isNaN(data20)) && isFinite(data20))) {
                    const err34 = { instancePath: instancePath + "/settings/service/rejected_statuses/" + i0, schemaPath: "#/definitions/settings/properties/service/properties/rejected_statuses/items/type", keyword: "type", params: { type: "integer" } };
                    if (vErrors === null) {
                      vErrors = [err34];
                    } else {
                      vErrors.push(err34);
                    }
                    errors++;
                  }
                }
              } else {
                const err35 = { instancePath: instancePath + "/settings/service/rejected_statuses", schemaPath: "#/definitions/settings/properties/service/properties/rejected_statuses/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err35];
                } else {
                  vErrors.push(err35);
                }
                errors++;
              }
            }
          } else {
            const err36 = { instancePath: instancePath + "/settings/service", schemaPath: "#/definitions/settings/properties/service/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err36];
            } else {
              vErrors.push(err36);
            }
            errors++;
          }
        }
        if (data9.lock !== void 0) {
          let data21 = data9.lock;
          if (data21 && typeof data21 == "object" && !Array.isArray(data21)) {
            for (const key6 in data21) {
              if (!(key6 === "store" || key6 === "remote" || key6 === "ref")) {
                const err37 = { instancePath: instancePath + "/settings/lock", schemaPath: "#/definitions/settings/properties/lock/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key6 } };
                if (vErrors === null) {
                  vErrors = [err37];
                } else {
                  vErrors.push(err37);
                }
                errors++;
              }
            }
            if (data21.store !== void 0) {
              if (typeof data21.store !== "string") {
                const err38 = { instancePath: instancePath + "/settings/lock/store", schemaPath: "#/definitions/settings/properties/lock/properties/store/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err38];
                } else {
                  vErrors.push(err38);
                }
                errors++;
              }
            }
            if (data21.remote !== void 0) {
              if (typeof data21.remote !== "string") {
                const err39 = { instancePath: instancePath + "/settings/lock/remote", schemaPath: "#/definitions/settings/properties/lock/properties/remote/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err39];
                } else {
                  vErrors.push(err39);
                }
                errors++;
              }
            }
            if (data21.ref !== void 0) {
              if (typeof data21.ref !== "string") {
                const err40 = { instancePath: instancePath + "/settings/lock/ref", schemaPath: "#/definitions/settings/properties/lock/properties/ref/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err40];
                } else {
                  vErrors.push(err40);
                }
                errors++;
              }
            }
          } else {
            const err41 = { instancePath: instancePath + "/settings/lock", schemaPath: "#/definitions/settings/properties/lock/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err41];
            } else {
              vErrors.push(err41);
            }
            errors++;
          }
        }
      } else {
        const err42 = { instancePath: instancePath + "/settings", schemaPath: "#/definitions/settings/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err42];
        } else {
          vErrors.push(err42);
        }
        errors++;
      }
    }
    if (data.resources !== void 0) {
      let data25 = data.resources;
      if (data25 && typeof data25 == "object" && !Array.isArray(data25)) {
        for (const key7 in data25) {
          const _errs61 = errors;
          if (typeof key7 === "string") {
            if (!pattern1.test(key7)) {
              const err43 = { instancePath: instancePath + "/resources", schemaPath: "#/properties/resources/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, propertyName: key7 };
              if (vErrors === null) {
                vErrors = [err43];
              } else {
                vErrors.push(err43);
              }
              errors++;
            }
          }
          var valid11 = _errs61 === errors;
          if (!valid11) {
            const err44 = { instancePath: instancePath + "/resources", schemaPath: "#/properties/resources/propertyNames", keyword: "propertyNames", params: { propertyName: key7 } };
            if (vErrors === null) {
              vErrors = [err44];
            } else {
              vErrors.push(err44);
            }
            errors++;
          }
        }
        for (const key8 in data25) {
          if (!validate11(data25[key8], { instancePath: instancePath + "/resources/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data25, parentDataProperty: key8, rootData })) {
            vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err45 = { instancePath: instancePath + "/resources", schemaPath: "#/properties/resources/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err45];
        } else {
          vErrors.push(err45);
        }
        errors++;
      }
    }
    if (data.retired !== void 0) {
      let data27 = data.retired;
      if (data27 && typeof data27 == "object" && !Array.isArray(data27)) {
        for (const key9 in data27) {
          let data28 = data27[key9];
          if (data28 && typeof data28 == "object" && !Array.isArray(data28)) {
            if (data28.address === void 0) {
              const err46 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/retired/required", keyword: "required", params: { missingProperty: "address" } };
              if (vErrors === null) {
                vErrors = [err46];
              } else {
                vErrors.push(err46);
              }
              errors++;
            }
            if (data28.reason === void 0) {
              const err47 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/retired/required", keyword: "required", params: { missingProperty: "reason" } };
              if (vErrors === null) {
                vErrors = [err47];
              } else {
                vErrors.push(err47);
              }
              errors++;
            }
            for (const key10 in data28) {
              if (!(key10 === "address" || key10 === "operation" || key10 === "reason" || key10 === "body" || key10 === "used_by")) {
                const err48 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/retired/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 } };
                if (vErrors === null) {
                  vErrors = [err48];
                } else {
                  vErrors.push(err48);
                }
                errors++;
              }
            }
            if (data28.address !== void 0) {
              let data29 = data28.address;
              if (typeof data29 === "string") {
                if (!pattern1.test(data29)) {
                  const err49 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/address", schemaPath: "#/definitions/retired/properties/address/pattern", keyword: "pattern", params: { pattern: "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" } };
                  if (vErrors === null) {
                    vErrors = [err49];
                  } else {
                    vErrors.push(err49);
                  }
                  errors++;
                }
              } else {
                const err50 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/address", schemaPath: "#/definitions/retired/properties/address/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err50];
                } else {
                  vErrors.push(err50);
                }
                errors++;
              }
            }
            if (data28.operation !== void 0) {
              if (typeof data28.operation !== "string") {
                const err51 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/operation", schemaPath: "#/definitions/retired/properties/operation/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err51];
                } else {
                  vErrors.push(err51);
                }
                errors++;
              }
            }
            if (data28.reason !== void 0) {
              let data31 = data28.reason;
              if (typeof data31 !== "string") {
                const err52 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/reason", schemaPath: "#/definitions/retired/properties/reason/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err52];
                } else {
                  vErrors.push(err52);
                }
                errors++;
              }
              if (!(data31 === "replaced" || data31 === "forgotten")) {
                const err53 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/reason", schemaPath: "#/definitions/retired/properties/reason/enum", keyword: "enum", params: { allowedValues: schema16.properties.reason.enum } };
                if (vErrors === null) {
                  vErrors = [err53];
                } else {
                  vErrors.push(err53);
                }
                errors++;
              }
            }
            if (data28.body !== void 0) {
              let data32 = data28.body;
              if (!(data32 && typeof data32 == "object" && !Array.isArray(data32))) {
                const err54 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/body", schemaPath: "#/definitions/retired/properties/body/type", keyword: "type", params: { type: "object" } };
                if (vErrors === null) {
                  vErrors = [err54];
                } else {
                  vErrors.push(err54);
                }
                errors++;
              }
            }
            if (data28.used_by !== void 0) {
              let data33 = data28.used_by;
              if (Array.isArray(data33)) {
                const len1 = data33.length;
                for (let i1 = 0; i1 < len1; i1++) {
                  if (typeof data33[i1] !== "string") {
                    const err55 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/used_by/" + i1, schemaPath: "#/definitions/retired/properties/used_by/items/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err55];
                    } else {
                      vErrors.push(err55);
                    }
                    errors++;
                  }
                }
              } else {
                const err56 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1") + "/used_by", schemaPath: "#/definitions/retired/properties/used_by/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err56];
                } else {
                  vErrors.push(err56);
                }
                errors++;
              }
            }
          } else {
            const err57 = { instancePath: instancePath + "/retired/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/retired/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err57];
            } else {
              vErrors.push(err57);
            }
            errors++;
          }
        }
      } else {
        const err58 = { instancePath: instancePath + "/retired", schemaPath: "#/properties/retired/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err58];
        } else {
          vErrors.push(err58);
        }
        errors++;
      }
    }
    if (data.unknown !== void 0) {
      let data35 = data.unknown;
      if (data35 && typeof data35 == "object" && !Array.isArray(data35)) {
        for (const key11 in data35) {
          const _errs85 = errors;
          if (typeof key11 === "string") {
            if (!pattern1.test(key11)) {
              const err59 = { instancePath: instancePath + "/unknown", schemaPath: "#/properties/unknown/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, propertyName: key11 };
              if (vErrors === null) {
                vErrors = [err59];
              } else {
                vErrors.push(err59);
              }
              errors++;
            }
          }
          var valid18 = _errs85 === errors;
          if (!valid18) {
            const err60 = { instancePath: instancePath + "/unknown", schemaPath: "#/properties/unknown/propertyNames", keyword: "propertyNames", params: { propertyName: key11 } };
            if (vErrors === null) {
              vErrors = [err60];
            } else {
              vErrors.push(err60);
            }
            errors++;
          }
        }
        for (const key12 in data35) {
          if (!validate13(data35[key12], { instancePath: instancePath + "/unknown/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data35, parentDataProperty: key12, rootData })) {
            vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err61 = { instancePath: instancePath + "/unknown", schemaPath: "#/properties/unknown/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err61];
        } else {
          vErrors.push(err61);
        }
        errors++;
      }
    }
  } else {
    const err62 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err62];
    } else {
      vErrors.push(err62);
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
