package controller

import (
	"fmt"

	"controllerscope/core/env"
	"controllerscope/core/kafka"
	"controllerscope/core/request"
)

type updateFeatures struct {
	updates []request.FeatureUpdate
	reply   func(request.UpdateFeaturesResponse)
}

func (updateFeatures) name() string { return "UpdateFeatures" }
func (updateFeatures) state() State { return StateUpdateFeatures }
func (ev updateFeatures) args() []env.Arg {
	names := make([]any, len(ev.updates))
	for i, u := range ev.updates {
		names[i] = u.Feature
	}
	return []env.Arg{env.A("features", names)}
}

// UpdateFeatures queues a request of the API. Kafka: KafkaController.updateFeatures.
func (c *Controller) UpdateFeatures(updates []request.FeatureUpdate, reply func(request.UpdateFeaturesResponse)) {
	c.putEvent(updateFeatures{updates, reply})
}

// processUpdateFeatures refuses every update: a stock 2.8.2 supports no feature, and so has none finalized, because a broker
// whose /feature has one ends. So /feature is never written here. For the same reason there is no filter of live brokers by
// their features (KafkaController.partitionOnFeatureCompatibility): it asks whether a broker supports what is finalized, and
// with nothing finalized every broker does, whatever its registration says. Kafka: KafkaController.processFeatureUpdates.
func (c *Controller) processUpdateFeatures(ev updateFeatures) error {
	if !c.IsActive() {
		ev.reply(request.UpdateFeaturesResponse{Error: kafka.NOT_CONTROLLER})
		return nil
	}
	var answer request.UpdateFeaturesResponse
	for _, u := range ev.updates {
		answer.Results = append(answer.Results, request.FeatureResult{Feature: u.Feature, Error: kafka.INVALID_REQUEST, Message: whyNotUpdated(u)})
	}
	ev.reply(answer)
	return nil
}

// whyNotUpdated is Kafka's sentence about an update of a feature that is neither supported nor finalized.
// Kafka: KafkaController.validateFeatureUpdate, newFinalizedVersionRangeOrIncompatibilityError.
func whyNotUpdated(u request.FeatureUpdate) string {
	switch {
	case u.Feature == "":
		return "Feature name can not be empty."
	case u.MaxVersionLevel < 1 && u.AllowDowngrade:
		return "Can not delete non-existing finalized feature."
	case u.MaxVersionLevel < 1:
		return fmt.Sprintf("Can not provide maxVersionLevel: %d less than 1 without setting the allowDowngrade flag to true in the request.", u.MaxVersionLevel)
	}
	return "Could not apply finalized feature update because the provided feature is not supported."
}
