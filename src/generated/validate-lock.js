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
var schema11 = { "type": "object", "required": ["format", "workspace", "environment", "lineage", "serial", "resources", "retired", "unknown"], "additionalProperties": false, "properties": { "format": { "const": "agentform/lock/v1" }, "workspace": { "type": "string" }, "environment": { "type": ["string", "null"] }, "lineage": { "type": "string", "minLength": 1 }, "serial": { "type": "integer", "minimum": 0 }, "service": { "$ref": "#/definitions/service" }, "resources": { "type": "object", "additionalProperties": { "$ref": "#/definitions/entry" }, "propertyNames": { "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" } }, "retired": { "type": "object", "additionalProperties": { "$ref": "#/definitions/retired" } }, "unknown": { "type": "object", "additionalProperties": { "$ref": "#/definitions/unknown" }, "propertyNames": { "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" } } }, "definitions": { "service": { "type": "object", "required": ["base_url"], "additionalProperties": false, "properties": { "base_url": { "type": "string" }, "rai_base_url": { "type": "string" } } }, "references": { "type": "object", "additionalProperties": { "type": ["string", "array"], "items": { "type": "string" } } }, "entry": { "type": "object", "required": ["body", "digest"], "additionalProperties": false, "properties": { "id": { "type": "string", "minLength": 1 }, "ids": { "type": "array", "items": { "type": "string" } }, "tools": { "type": "object", "additionalProperties": { "type": "string" } }, "body": { "type": "object" }, "references": { "$ref": "#/definitions/references" }, "digest": { "type": "string" }, "file": { "type": "string" }, "protect": { "type": "boolean" }, "adopted": { "type": ["string", "array"], "items": { "type": "string" } }, "assumed": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } }, "uncertain": { "type": "boolean" }, "attempted": { "type": "object" } } }, "retired": { "type": "object", "required": ["address", "reason"], "additionalProperties": false, "properties": { "address": { "type": "string", "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, "operation": { "type": "string" }, "reason": { "type": "string", "enum": ["replaced", "forgotten"] }, "body": { "type": "object" }, "used_by": { "type": "array", "items": { "type": "string" } } } }, "unknown": { "type": "object", "required": ["operation", "since", "method", "path", "body", "digest"], "additionalProperties": false, "properties": { "operation": { "type": "string", "enum": ["create", "replace"] }, "since": { "type": "string" }, "method": { "type": "string" }, "path": { "type": "string" }, "status": { "type": "integer" }, "request_id": { "type": "string" }, "message": { "type": "string" }, "answer": { "type": "string" }, "body": { "type": "object" }, "references": { "$ref": "#/definitions/references" }, "digest": { "type": "string" }, "file": { "type": "string" }, "protect": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } } } } } };
var schema15 = { "type": "object", "required": ["address", "reason"], "additionalProperties": false, "properties": { "address": { "type": "string", "pattern": "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, "operation": { "type": "string" }, "reason": { "type": "string", "enum": ["replaced", "forgotten"] }, "body": { "type": "object" }, "used_by": { "type": "array", "items": { "type": "string" } } } };
var func2 = Object.prototype.hasOwnProperty;
var func3 = require_ucs2length().default;
var pattern0 = new RegExp("^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$", "u");
var schema13 = { "type": "object", "required": ["body", "digest"], "additionalProperties": false, "properties": { "id": { "type": "string", "minLength": 1 }, "ids": { "type": "array", "items": { "type": "string" } }, "tools": { "type": "object", "additionalProperties": { "type": "string" } }, "body": { "type": "object" }, "references": { "$ref": "#/definitions/references" }, "digest": { "type": "string" }, "file": { "type": "string" }, "protect": { "type": "boolean" }, "adopted": { "type": ["string", "array"], "items": { "type": "string" } }, "assumed": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } }, "uncertain": { "type": "boolean" }, "attempted": { "type": "object" } } };
var schema14 = { "type": "object", "additionalProperties": { "type": ["string", "array"], "items": { "type": "string" } } };
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
      if (!func2.call(schema13.properties, key0)) {
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
    if (data.body !== void 0) {
      let data5 = data.body;
      if (!(data5 && typeof data5 == "object" && !Array.isArray(data5))) {
        const err9 = { instancePath: instancePath + "/body", schemaPath: "#/properties/body/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err9];
        } else {
          vErrors.push(err9);
        }
        errors++;
      }
    }
    if (data.references !== void 0) {
      let data6 = data.references;
      if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
        for (const key2 in data6) {
          let data7 = data6[key2];
          if (typeof data7 !== "string" && !Array.isArray(data7)) {
            const err10 = { instancePath: instancePath + "/references/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/references/additionalProperties/type", keyword: "type", params: { type: schema14.additionalProperties.type } };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
          if (Array.isArray(data7)) {
            const len1 = data7.length;
            for (let i1 = 0; i1 < len1; i1++) {
              if (typeof data7[i1] !== "string") {
                const err11 = { instancePath: instancePath + "/references/" + key2.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i1, schemaPath: "#/definitions/references/additionalProperties/items/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err11];
                } else {
                  vErrors.push(err11);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err12 = { instancePath: instancePath + "/references", schemaPath: "#/definitions/references/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err12];
        } else {
          vErrors.push(err12);
        }
        errors++;
      }
    }
    if (data.digest !== void 0) {
      if (typeof data.digest !== "string") {
        const err13 = { instancePath: instancePath + "/digest", schemaPath: "#/properties/digest/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err13];
        } else {
          vErrors.push(err13);
        }
        errors++;
      }
    }
    if (data.file !== void 0) {
      if (typeof data.file !== "string") {
        const err14 = { instancePath: instancePath + "/file", schemaPath: "#/properties/file/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err14];
        } else {
          vErrors.push(err14);
        }
        errors++;
      }
    }
    if (data.protect !== void 0) {
      if (typeof data.protect !== "boolean") {
        const err15 = { instancePath: instancePath + "/protect", schemaPath: "#/properties/protect/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.adopted !== void 0) {
      let data12 = data.adopted;
      if (typeof data12 !== "string" && !Array.isArray(data12)) {
        const err16 = { instancePath: instancePath + "/adopted", schemaPath: "#/properties/adopted/type", keyword: "type", params: { type: schema13.properties.adopted.type } };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
      if (Array.isArray(data12)) {
        const len2 = data12.length;
        for (let i2 = 0; i2 < len2; i2++) {
          if (typeof data12[i2] !== "string") {
            const err17 = { instancePath: instancePath + "/adopted/" + i2, schemaPath: "#/properties/adopted/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
      }
    }
    if (data.assumed !== void 0) {
      if (typeof data.assumed !== "boolean") {
        const err18 = { instancePath: instancePath + "/assumed", schemaPath: "#/properties/assumed/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
    if (data.moved_from !== void 0) {
      let data15 = data.moved_from;
      if (Array.isArray(data15)) {
        const len3 = data15.length;
        for (let i3 = 0; i3 < len3; i3++) {
          if (typeof data15[i3] !== "string") {
            const err19 = { instancePath: instancePath + "/moved_from/" + i3, schemaPath: "#/properties/moved_from/items/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
      } else {
        const err20 = { instancePath: instancePath + "/moved_from", schemaPath: "#/properties/moved_from/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
    if (data.uncertain !== void 0) {
      if (typeof data.uncertain !== "boolean") {
        const err21 = { instancePath: instancePath + "/uncertain", schemaPath: "#/properties/uncertain/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err21];
        } else {
          vErrors.push(err21);
        }
        errors++;
      }
    }
    if (data.attempted !== void 0) {
      let data18 = data.attempted;
      if (!(data18 && typeof data18 == "object" && !Array.isArray(data18))) {
        const err22 = { instancePath: instancePath + "/attempted", schemaPath: "#/properties/attempted/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
  } else {
    const err23 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err23];
    } else {
      vErrors.push(err23);
    }
    errors++;
  }
  validate11.errors = vErrors;
  return errors === 0;
}
var schema16 = { "type": "object", "required": ["operation", "since", "method", "path", "body", "digest"], "additionalProperties": false, "properties": { "operation": { "type": "string", "enum": ["create", "replace"] }, "since": { "type": "string" }, "method": { "type": "string" }, "path": { "type": "string" }, "status": { "type": "integer" }, "request_id": { "type": "string" }, "message": { "type": "string" }, "answer": { "type": "string" }, "body": { "type": "object" }, "references": { "$ref": "#/definitions/references" }, "digest": { "type": "string" }, "file": { "type": "string" }, "protect": { "type": "boolean" }, "moved_from": { "type": "array", "items": { "type": "string" } } } };
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
      if (!func2.call(schema16.properties, key0)) {
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
        const err8 = { instancePath: instancePath + "/operation", schemaPath: "#/properties/operation/enum", keyword: "enum", params: { allowedValues: schema16.properties.operation.enum } };
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
    if (data.body !== void 0) {
      let data8 = data.body;
      if (!(data8 && typeof data8 == "object" && !Array.isArray(data8))) {
        const err16 = { instancePath: instancePath + "/body", schemaPath: "#/properties/body/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err16];
        } else {
          vErrors.push(err16);
        }
        errors++;
      }
    }
    if (data.references !== void 0) {
      let data9 = data.references;
      if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
        for (const key1 in data9) {
          let data10 = data9[key1];
          if (typeof data10 !== "string" && !Array.isArray(data10)) {
            const err17 = { instancePath: instancePath + "/references/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/references/additionalProperties/type", keyword: "type", params: { type: schema14.additionalProperties.type } };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
          if (Array.isArray(data10)) {
            const len0 = data10.length;
            for (let i0 = 0; i0 < len0; i0++) {
              if (typeof data10[i0] !== "string") {
                const err18 = { instancePath: instancePath + "/references/" + key1.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i0, schemaPath: "#/definitions/references/additionalProperties/items/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err18];
                } else {
                  vErrors.push(err18);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err19 = { instancePath: instancePath + "/references", schemaPath: "#/definitions/references/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err19];
        } else {
          vErrors.push(err19);
        }
        errors++;
      }
    }
    if (data.digest !== void 0) {
      if (typeof data.digest !== "string") {
        const err20 = { instancePath: instancePath + "/digest", schemaPath: "#/properties/digest/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
    if (data.file !== void 0) {
      if (typeof data.file !== "string") {
        const err21 = { instancePath: instancePath + "/file", schemaPath: "#/properties/file/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err21];
        } else {
          vErrors.push(err21);
        }
        errors++;
      }
    }
    if (data.protect !== void 0) {
      if (typeof data.protect !== "boolean") {
        const err22 = { instancePath: instancePath + "/protect", schemaPath: "#/properties/protect/type", keyword: "type", params: { type: "boolean" } };
        if (vErrors === null) {
          vErrors = [err22];
        } else {
          vErrors.push(err22);
        }
        errors++;
      }
    }
    if (data.moved_from !== void 0) {
      let data15 = data.moved_from;
      if (Array.isArray(data15)) {
        const len1 = data15.length;
        for (let i1 = 0; i1 < len1; i1++) {
          if (typeof data15[i1] !== "string") {
            const err23 = { instancePath: instancePath + "/moved_from/" + i1, schemaPath: "#/properties/moved_from/items/type", keyword: "type", params: { type: "string" } };
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
  } else {
    const err25 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err25];
    } else {
      vErrors.push(err25);
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
        if (data4 < 0 || isNaN(data4)) {
          const err15 = { instancePath: instancePath + "/serial", schemaPath: "#/properties/serial/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 } };
          if (vErrors === null) {
            vErrors = [err15];
          } else {
            vErrors.push(err15);
          }
          errors++;
        }
      }
    }
    if (data.service !== void 0) {
      let data5 = data.service;
      if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
        if (data5.base_url === void 0) {
          const err16 = { instancePath: instancePath + "/service", schemaPath: "#/definitions/service/required", keyword: "required", params: { missingProperty: "base_url" } };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
        for (const key1 in data5) {
          if (!(key1 === "base_url" || key1 === "rai_base_url")) {
            const err17 = { instancePath: instancePath + "/service", schemaPath: "#/definitions/service/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data5.base_url !== void 0) {
          if (typeof data5.base_url !== "string") {
            const err18 = { instancePath: instancePath + "/service/base_url", schemaPath: "#/definitions/service/properties/base_url/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
        if (data5.rai_base_url !== void 0) {
          if (typeof data5.rai_base_url !== "string") {
            const err19 = { instancePath: instancePath + "/service/rai_base_url", schemaPath: "#/definitions/service/properties/rai_base_url/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
      } else {
        const err20 = { instancePath: instancePath + "/service", schemaPath: "#/definitions/service/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err20];
        } else {
          vErrors.push(err20);
        }
        errors++;
      }
    }
    if (data.resources !== void 0) {
      let data8 = data.resources;
      if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
        for (const key2 in data8) {
          const _errs21 = errors;
          if (typeof key2 === "string") {
            if (!pattern0.test(key2)) {
              const err21 = { instancePath: instancePath + "/resources", schemaPath: "#/properties/resources/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, propertyName: key2 };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
          }
          var valid3 = _errs21 === errors;
          if (!valid3) {
            const err22 = { instancePath: instancePath + "/resources", schemaPath: "#/properties/resources/propertyNames", keyword: "propertyNames", params: { propertyName: key2 } };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
        }
        for (const key3 in data8) {
          if (!validate11(data8[key3], { instancePath: instancePath + "/resources/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data8, parentDataProperty: key3, rootData })) {
            vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err23 = { instancePath: instancePath + "/resources", schemaPath: "#/properties/resources/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err23];
        } else {
          vErrors.push(err23);
        }
        errors++;
      }
    }
    if (data.retired !== void 0) {
      let data10 = data.retired;
      if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
        for (const key4 in data10) {
          let data11 = data10[key4];
          if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
            if (data11.address === void 0) {
              const err24 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/retired/required", keyword: "required", params: { missingProperty: "address" } };
              if (vErrors === null) {
                vErrors = [err24];
              } else {
                vErrors.push(err24);
              }
              errors++;
            }
            if (data11.reason === void 0) {
              const err25 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/retired/required", keyword: "required", params: { missingProperty: "reason" } };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
            for (const key5 in data11) {
              if (!(key5 === "address" || key5 === "operation" || key5 === "reason" || key5 === "body" || key5 === "used_by")) {
                const err26 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/retired/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 } };
                if (vErrors === null) {
                  vErrors = [err26];
                } else {
                  vErrors.push(err26);
                }
                errors++;
              }
            }
            if (data11.address !== void 0) {
              let data12 = data11.address;
              if (typeof data12 === "string") {
                if (!pattern0.test(data12)) {
                  const err27 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/address", schemaPath: "#/definitions/retired/properties/address/pattern", keyword: "pattern", params: { pattern: "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" } };
                  if (vErrors === null) {
                    vErrors = [err27];
                  } else {
                    vErrors.push(err27);
                  }
                  errors++;
                }
              } else {
                const err28 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/address", schemaPath: "#/definitions/retired/properties/address/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err28];
                } else {
                  vErrors.push(err28);
                }
                errors++;
              }
            }
            if (data11.operation !== void 0) {
              if (typeof data11.operation !== "string") {
                const err29 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/operation", schemaPath: "#/definitions/retired/properties/operation/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err29];
                } else {
                  vErrors.push(err29);
                }
                errors++;
              }
            }
            if (data11.reason !== void 0) {
              let data14 = data11.reason;
              if (typeof data14 !== "string") {
                const err30 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/reason", schemaPath: "#/definitions/retired/properties/reason/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err30];
                } else {
                  vErrors.push(err30);
                }
                errors++;
              }
              if (!(data14 === "replaced" || data14 === "forgotten")) {
                const err31 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/reason", schemaPath: "#/definitions/retired/properties/reason/enum", keyword: "enum", params: { allowedValues: schema15.properties.reason.enum } };
                if (vErrors === null) {
                  vErrors = [err31];
                } else {
                  vErrors.push(err31);
                }
                errors++;
              }
            }
            if (data11.body !== void 0) {
              let data15 = data11.body;
              if (!(data15 && typeof data15 == "object" && !Array.isArray(data15))) {
                const err32 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/body", schemaPath: "#/definitions/retired/properties/body/type", keyword: "type", params: { type: "object" } };
                if (vErrors === null) {
                  vErrors = [err32];
                } else {
                  vErrors.push(err32);
                }
                errors++;
              }
            }
            if (data11.used_by !== void 0) {
              let data16 = data11.used_by;
              if (Array.isArray(data16)) {
                const len0 = data16.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  if (typeof data16[i0] !== "string") {
                    const err33 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/used_by/" + i0, schemaPath: "#/definitions/retired/properties/used_by/items/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err33];
                    } else {
                      vErrors.push(err33);
                    }
                    errors++;
                  }
                }
              } else {
                const err34 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1") + "/used_by", schemaPath: "#/definitions/retired/properties/used_by/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err34];
                } else {
                  vErrors.push(err34);
                }
                errors++;
              }
            }
          } else {
            const err35 = { instancePath: instancePath + "/retired/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/retired/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err35];
            } else {
              vErrors.push(err35);
            }
            errors++;
          }
        }
      } else {
        const err36 = { instancePath: instancePath + "/retired", schemaPath: "#/properties/retired/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err36];
        } else {
          vErrors.push(err36);
        }
        errors++;
      }
    }
    if (data.unknown !== void 0) {
      let data18 = data.unknown;
      if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
        for (const key6 in data18) {
          const _errs45 = errors;
          if (typeof key6 === "string") {
            if (!pattern0.test(key6)) {
              const err37 = { instancePath: instancePath + "/unknown", schemaPath: "#/properties/unknown/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[a-z]+:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$" }, propertyName: key6 };
              if (vErrors === null) {
                vErrors = [err37];
              } else {
                vErrors.push(err37);
              }
              errors++;
            }
          }
          var valid10 = _errs45 === errors;
          if (!valid10) {
            const err38 = { instancePath: instancePath + "/unknown", schemaPath: "#/properties/unknown/propertyNames", keyword: "propertyNames", params: { propertyName: key6 } };
            if (vErrors === null) {
              vErrors = [err38];
            } else {
              vErrors.push(err38);
            }
            errors++;
          }
        }
        for (const key7 in data18) {
          if (!validate13(data18[key7], { instancePath: instancePath + "/unknown/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data18, parentDataProperty: key7, rootData })) {
            vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
            errors = vErrors.length;
          }
        }
      } else {
        const err39 = { instancePath: instancePath + "/unknown", schemaPath: "#/properties/unknown/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err39];
        } else {
          vErrors.push(err39);
        }
        errors++;
      }
    }
  } else {
    const err40 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err40];
    } else {
      vErrors.push(err40);
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
