package kafkawire

import (
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"controllerscope/core/kafka"
	"controllerscope/core/request"
	"controllerscope/core/zkdata"
)

// resourceTypes are the config resources that are spoken of. Kafka: ConfigResource.Type.
var resourceTypes = map[string]kmsg.ConfigResourceType{zkdata.ConfigTypeTopics: kmsg.ConfigResourceTypeTopic,
	zkdata.ConfigTypeBrokers: kmsg.ConfigResourceTypeBroker}

func encodeAlterConfigs(r request.IncrementalAlterConfigs) (*kmsg.IncrementalAlterConfigsRequest, error) {
	k := &kmsg.IncrementalAlterConfigsRequest{}
	for _, x := range r.Resources {
		kind, known := resourceTypes[x.Type]
		if !known {
			return nil, fmt.Errorf("IncrementalAlterConfigs of %s has no form on the wire", x.Type)
		}
		resource := kmsg.IncrementalAlterConfigsRequestResource{ResourceType: kind, ResourceName: x.Name}
		for _, op := range x.Ops {
			c := kmsg.IncrementalAlterConfigsRequestResourceConfig{Name: op.Key, Op: kmsg.IncrementalAlterConfigOpSet, Value: &op.Value}
			if op.Delete {
				c.Op, c.Value = kmsg.IncrementalAlterConfigOpDelete, nil
			}
			resource.Configs = append(resource.Configs, c)
		}
		k.Resources = append(k.Resources, resource)
	}
	return k, nil
}

func decodeAlterConfigs(k *kmsg.IncrementalAlterConfigsRequest) (request.IncrementalAlterConfigs, error) {
	var r request.IncrementalAlterConfigs
	if k.ValidateOnly {
		return r, fmt.Errorf("IncrementalAlterConfigs with validateOnly is not supported")
	}
	for _, x := range k.Resources {
		resource := request.AlterConfigs{Type: resourceName(x.ResourceType), Name: x.ResourceName}
		for _, c := range x.Configs {
			op := request.ConfigOp{Key: c.Name, Delete: c.Op == kmsg.IncrementalAlterConfigOpDelete}
			switch {
			case op.Delete:
			case c.Op != kmsg.IncrementalAlterConfigOpSet:
				return r, fmt.Errorf("IncrementalAlterConfigs with the operation %d on %s is not supported: only SET and DELETE are", c.Op, c.Name)
			case c.Value == nil:
				return r, fmt.Errorf("IncrementalAlterConfigs sets %s to null", c.Name)
			default:
				op.Value = *c.Value
			}
			resource.Ops = append(resource.Ops, op)
		}
		r.Resources = append(r.Resources, resource)
	}
	return r, nil
}

func resourceName(kind kmsg.ConfigResourceType) string {
	for name, k := range resourceTypes {
		if k == kind {
			return name
		}
	}
	return kind.String()
}

// entityResults are the results, or, when the whole request failed, its error for each of n entities.
func entityResults(answer request.EntityResponse, n int) []request.EntityResult {
	if answer.Error == kafka.NONE {
		return answer.Entities
	}
	out := make([]request.EntityResult, n)
	for i := range out {
		out[i].Error = answer.Error
	}
	return out
}

func encodeAlterConfigsResponse(r request.IncrementalAlterConfigs, answer request.EntityResponse) *kmsg.IncrementalAlterConfigsResponse {
	k := &kmsg.IncrementalAlterConfigsResponse{}
	for i, x := range entityResults(answer, len(r.Resources)) {
		k.Resources = append(k.Resources, kmsg.IncrementalAlterConfigsResponseResource{ErrorCode: int16(x.Error), ErrorMessage: message(x.Message),
			ResourceType: resourceTypes[r.Resources[i].Type], ResourceName: r.Resources[i].Name})
	}
	return k
}

func decodeAlterConfigsResponse(k *kmsg.IncrementalAlterConfigsResponse) request.EntityResponse {
	answer := request.EntityResponse{Of: request.IncrementalAlterConfigs{}.Kind()}
	for _, x := range k.Resources {
		answer.Entities = append(answer.Entities, entityResult(resourceName(x.ResourceType), x.ResourceName, x.ErrorCode, x.ErrorMessage))
	}
	return answer
}

func entityResult(entityType, name string, code int16, text *string) request.EntityResult {
	x := request.EntityResult{Type: entityType, Name: name, Error: kafka.Error(code)}
	if text != nil {
		x.Message = *text
	}
	return x
}

func encodeQuotas(r request.AlterClientQuotas) *kmsg.AlterClientQuotasRequest {
	k := &kmsg.AlterClientQuotasRequest{}
	for _, x := range r.Entries {
		var entry kmsg.AlterClientQuotasRequestEntry
		for _, e := range x.Entity {
			entry.Entity = append(entry.Entity, kmsg.AlterClientQuotasRequestEntryEntity{Type: e.Type, Name: quotaName(e)})
		}
		for _, op := range x.Ops {
			entry.Ops = append(entry.Ops, kmsg.AlterClientQuotasRequestEntryOp{Key: op.Key, Value: op.Value, Remove: op.Remove})
		}
		k.Entries = append(k.Entries, entry)
	}
	return k
}

// quotaName is the name of an entity, null for the default one.
func quotaName(e request.QuotaEntity) *string {
	if e.Default {
		return nil
	}
	return &e.Name
}

func decodeQuotas(k *kmsg.AlterClientQuotasRequest) (request.AlterClientQuotas, error) {
	var r request.AlterClientQuotas
	if k.ValidateOnly {
		return r, fmt.Errorf("AlterClientQuotas with validateOnly is not supported")
	}
	for _, x := range k.Entries {
		var entry request.AlterQuotas
		for _, e := range x.Entity {
			part := request.QuotaEntity{Type: e.Type, Default: e.Name == nil}
			if e.Name != nil {
				part.Name = *e.Name
			}
			entry.Entity = append(entry.Entity, part)
		}
		for _, op := range x.Ops {
			entry.Ops = append(entry.Ops, request.QuotaOp{Key: op.Key, Value: op.Value, Remove: op.Remove})
		}
		r.Entries = append(r.Entries, entry)
	}
	return r, nil
}

func encodeQuotasResponse(r request.AlterClientQuotas, answer request.EntityResponse) *kmsg.AlterClientQuotasResponse {
	k := &kmsg.AlterClientQuotasResponse{}
	for i, x := range entityResults(answer, len(r.Entries)) {
		entry := kmsg.AlterClientQuotasResponseEntry{ErrorCode: int16(x.Error), ErrorMessage: message(x.Message)}
		for _, e := range r.Entries[i].Entity {
			entry.Entity = append(entry.Entity, kmsg.AlterClientQuotasResponseEntryEntity{Type: e.Type, Name: quotaName(e)})
		}
		k.Entries = append(k.Entries, entry)
	}
	return k
}

// decodeQuotasResponse names each entity by its parts, as the wire does: user=alice client-id=<default>.
func decodeQuotasResponse(k *kmsg.AlterClientQuotasResponse) request.EntityResponse {
	answer := request.EntityResponse{Of: request.AlterClientQuotas{}.Kind()}
	for _, x := range k.Entries {
		var parts []string
		for _, e := range x.Entity {
			name := zkdata.DefaultEntity
			if e.Name != nil {
				name = *e.Name
			}
			parts = append(parts, e.Type+"="+name)
		}
		answer.Entities = append(answer.Entities, entityResult("quotas", strings.Join(parts, " "), x.ErrorCode, x.ErrorMessage))
	}
	return answer
}
